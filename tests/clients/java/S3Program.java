import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.core.util.VersionInfo;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.model.Bucket;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;
import software.amazon.awssdk.services.s3.model.Tag;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/**
 * A client of the AWS SDK for Java that is called as programs/program.py is: the name of a call, its
 * arguments as a JSON list; the result is printed as JSON. S3_CLIENT_SETTING may be "async": puts
 * and gets then go through the asynchronous client, by parts.
 */
public final class S3Program {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int HTTP_PRECONDITION_FAILED = 412;

    private final URI endpoint = URI.create(System.getenv("AWS_ENDPOINT_URL"));
    private final boolean isAsync = "async".equals(System.getenv("S3_CLIENT_SETTING"));
    private final S3Client s3 =
            S3Client.builder().endpointOverride(endpoint).forcePathStyle(true).build();
    private final JsonNode arguments;

    private S3Program(JsonNode arguments) {
        this.arguments = arguments;
    }

    public static void main(String[] argv) throws Exception {
        if (argv[0].equals("version")) {
            System.out.println(JSON.writeValueAsString(VersionInfo.SDK_VERSION));
            return;
        }
        S3Program program = new S3Program(JSON.readTree(argv[1]));
        System.out.println(JSON.writeValueAsString(program.run(argv[0])));
    }

    private String text(int number) {
        return arguments.get(number).asText();
    }

    private String bucket() {
        return text(0);
    }

    private String key() {
        return text(1);
    }

    private Map<String, String> map(int number) {
        Map<String, String> values = new HashMap<>();
        arguments.get(number).fields().forEachRemaining(e -> values.put(e.getKey(), e.getValue().asText()));
        return values;
    }

    private Object run(String call) throws Exception {
        switch (call) {
            case "make_bucket": return drop(s3.createBucket(b -> b.bucket(bucket())));
            case "list_buckets": return s3.listBuckets().buckets().stream().map(Bucket::name).toList();
            case "remove_bucket": return drop(s3.deleteBucket(b -> b.bucket(bucket())));
            case "put": return put(isAsync, b -> {});
            case "put_multipart": return put(true, b -> {});
            case "get": return get();
            case "get_range": return getRange();
            case "list": return list();
            case "copy": return copy();
            case "delete_many": return deleteMany();
            case "put_metadata": return put(isAsync, b -> b.metadata(map(3)));
            case "get_metadata": return s3.headObject(b -> b.bucket(bucket()).key(key())).metadata();
            case "put_tags": return putTags();
            case "get_tags": return getTags();
            case "put_new": return putNew();
            case "presign": return presign();
            default: throw new IllegalArgumentException("no such call: " + call);
        }
    }

    private static Object drop(Object answer) {
        return null;
    }

    private S3AsyncClient asyncClient() {
        return S3AsyncClient.builder()
                .endpointOverride(endpoint)
                .forcePathStyle(true)
                .multipartEnabled(true)
                .build();
    }

    private Object put(boolean byParts, Consumer<PutObjectRequest.Builder> more) {
        PutObjectRequest.Builder request = PutObjectRequest.builder().bucket(bucket()).key(key());
        more.accept(request);
        Path path = Path.of(text(2));
        if (!byParts) {
            return drop(s3.putObject(request.build(), RequestBody.fromFile(path)));
        }
        try (S3AsyncClient async = asyncClient()) {
            return drop(async.putObject(request.build(), AsyncRequestBody.fromFile(path)).join());
        }
    }

    private Object get() throws Exception {
        Path path = Path.of(text(2));
        Files.deleteIfExists(path);
        if (!isAsync) {
            return drop(s3.getObject(b -> b.bucket(bucket()).key(key()), path));
        }
        try (S3AsyncClient async = asyncClient()) {
            CompletableFuture<?> done = async.getObject(b -> b.bucket(bucket()).key(key()), path);
            return drop(done.join());
        }
    }

    private Object getRange() {
        String range = "bytes=" + text(2) + "-" + text(3);
        return drop(s3.getObject(b -> b.bucket(bucket()).key(key()).range(range), Path.of(text(4))));
    }

    private Object list() {
        Map<String, Long> found = new HashMap<>();
        for (S3Object row : s3.listObjectsV2Paginator(b -> b.bucket(bucket())).contents()) {
            found.put(row.key(), row.size());
        }
        return found;
    }

    private Object copy() {
        return drop(s3.copyObject(b -> b.sourceBucket(bucket()).sourceKey(key())
                .destinationBucket(bucket()).destinationKey(text(2))));
    }

    private Object deleteMany() {
        List<ObjectIdentifier> keys = new ArrayList<>();
        arguments.get(1).forEach(k -> keys.add(ObjectIdentifier.builder().key(k.asText()).build()));
        var answer = s3.deleteObjects(b -> b.bucket(bucket()).delete(d -> d.objects(keys)));
        if (answer.hasErrors()) {
            throw new IllegalStateException(answer.errors().toString());
        }
        return null;
    }

    private Object putTags() {
        List<Tag> tags = new ArrayList<>();
        map(2).forEach((name, value) -> tags.add(Tag.builder().key(name).value(value).build()));
        return drop(s3.putObjectTagging(b -> b.bucket(bucket()).key(key()).tagging(t -> t.tagSet(tags))));
    }

    private Object getTags() {
        Map<String, String> tags = new HashMap<>();
        s3.getObjectTagging(b -> b.bucket(bucket()).key(key())).tagSet()
                .forEach(tag -> tags.put(tag.key(), tag.value()));
        return tags;
    }

    private Object putNew() {
        try {
            put(false, b -> b.ifNoneMatch("*"));
        } catch (S3Exception error) {
            if (error.statusCode() != HTTP_PRECONDITION_FAILED) {
                throw error;
            }
            return false;
        }
        return true;
    }

    private Object presign() {
        S3Configuration pathStyle = S3Configuration.builder().pathStyleAccessEnabled(true).build();
        try (S3Presigner presigner = S3Presigner.builder()
                .endpointOverride(endpoint).serviceConfiguration(pathStyle).build()) {
            return presigner.presignGetObject(p -> p.signatureDuration(Duration.ofHours(1))
                    .getObjectRequest(b -> b.bucket(bucket()).key(key()))).url().toString();
        }
    }
}
