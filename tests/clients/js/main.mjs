// A client of the AWS SDK that is called as programs/program.py is: the name of a call, its
// arguments as a JSON list; the result is printed as JSON. S3_CLIENT_SETTING may be WHEN_REQUIRED.
import { createReadStream, createWriteStream, readFileSync, statSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import * as sdk from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";

const setting = process.env.S3_CLIENT_SETTING;
const checksums = setting
  ? { requestChecksumCalculation: setting, responseChecksumValidation: setting }
  : {};
const s3 = new sdk.S3Client({
  endpoint: process.env.AWS_ENDPOINT_URL,
  forcePathStyle: true,
  ...checksums,
});

const toRows = (map) => Object.entries(map).map(([Key, Value]) => ({ Key, Value }));

async function put(Bucket, Key, path, more = {}) {
  const ContentLength = statSync(path).size;
  const Body = createReadStream(path);
  await s3.send(new sdk.PutObjectCommand({ Bucket, Key, Body, ContentLength, ...more }));
}

async function get(Bucket, Key, path, more = {}) {
  const answer = await s3.send(new sdk.GetObjectCommand({ Bucket, Key, ...more }));
  await pipeline(answer.Body, createWriteStream(path));
}

const calls = {
  version: sdkVersion,
  make_bucket: (Bucket) => s3.send(new sdk.CreateBucketCommand({ Bucket })).then(() => null),
  list_buckets: async () =>
    (await s3.send(new sdk.ListBucketsCommand({}))).Buckets.map((row) => row.Name),
  remove_bucket: (Bucket) => s3.send(new sdk.DeleteBucketCommand({ Bucket })).then(() => null),
  put: (...args) => put(...args),
  put_multipart: async (Bucket, Key, path) => {
    const Body = createReadStream(path);
    await new Upload({ client: s3, params: { Bucket, Key, Body } }).done();
  },
  get: (...args) => get(...args),
  get_range: (bucket, key, first, last, path) =>
    get(bucket, key, path, { Range: `bytes=${first}-${last}` }),
  list: async (Bucket) => {
    const found = {};
    for await (const page of sdk.paginateListObjectsV2({ client: s3 }, { Bucket })) {
      for (const row of page.Contents) found[row.Key] = row.Size;
    }
    return found;
  },
  copy: (Bucket, source, Key) => {
    const CopySource = encodeURIComponent(`${Bucket}/${source}`);
    return s3.send(new sdk.CopyObjectCommand({ Bucket, Key, CopySource })).then(() => null);
  },
  delete_many: async (Bucket, keys) => {
    const Delete = { Objects: keys.map((Key) => ({ Key })) };
    const answer = await s3.send(new sdk.DeleteObjectsCommand({ Bucket, Delete }));
    if (answer.Errors?.length) throw new Error(JSON.stringify(answer.Errors));
  },
  put_metadata: (bucket, key, path, Metadata) => put(bucket, key, path, { Metadata }),
  get_metadata: async (Bucket, Key) =>
    (await s3.send(new sdk.HeadObjectCommand({ Bucket, Key }))).Metadata,
  put_tags: async (Bucket, Key, tags) => {
    const Tagging = { TagSet: toRows(tags) };
    await s3.send(new sdk.PutObjectTaggingCommand({ Bucket, Key, Tagging }));
  },
  get_tags: async (Bucket, Key) => {
    const answer = await s3.send(new sdk.GetObjectTaggingCommand({ Bucket, Key }));
    return Object.fromEntries(answer.TagSet.map((row) => [row.Key, row.Value]));
  },
  put_new: async (bucket, key, path) => {
    try {
      await put(bucket, key, path, { IfNoneMatch: "*" });
    } catch (error) {
      if (error.name !== "PreconditionFailed") throw error;
      return false;
    }
    return true;
  },
  presign: (Bucket, Key) => getSignedUrl(s3, new sdk.GetObjectCommand({ Bucket, Key })),
};

function sdkVersion() {
  const text = readFileSync(new URL("package.json", import.meta.url));
  return JSON.parse(text).dependencies["@aws-sdk/client-s3"];
}

const [name, text] = process.argv.slice(2);
try {
  const result = await calls[name](...JSON.parse(text));
  process.stdout.write(JSON.stringify(result ?? null));
} catch (error) {
  console.error(`${error.name}: ${error.message}`);
  process.exitCode = 1;
}
