#include "server/configuration_kinds.hpp"
#include "tests/unit/handler_fixture.hpp"

using namespace mocks3;
using namespace mocks3::server;

namespace {

struct ConfigurationFixture : HandlerFixture {
  ConfigurationFixture() { put("/bkt", 0); }
  Reply set(const std::string& target, const std::string& body, const Headers& headers = {}) {
    return send({.method = "PUT", .target = target, .headers = headers, .body = body});
  }
};

const std::string kWebsite =
    "<WebsiteConfiguration xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><IndexDocument>"
    "<Suffix>i.html</Suffix></IndexDocument></WebsiteConfiguration>";
const std::string kPolicy =
    R"({"Statement":[{"Effect":"Allow","Principal":"*","Action":"s3:*","Resource":"*"}]})";

std::string metrics(const std::string& id) {
  return "<MetricsConfiguration><Id>" + id + "</Id></MetricsConfiguration>";
}

}  // namespace

TEST_CASE("bucket configurations: kept with the bucket, returned, removed, and gone with it") {
  ConfigurationFixture server;
  CHECK(server.get("/bkt?website").error_code == "NoSuchWebsiteConfiguration");
  CHECK(server.set("/bkt?website", kWebsite).status == 200);
  CHECK(contains(server.get("/bkt?website="), kWebsite));
  CHECK(server.del("/bkt?website").status == 204);
  CHECK(server.get("/bkt?website").error_code == "NoSuchWebsiteConfiguration");
  CHECK(server.del("/bkt?website").status == 204);
  CHECK(server.set("/bkt?website", kWebsite).status == 200);
  CHECK(server.del("/bkt").status == 204);
  server.put("/bkt", 0);
  CHECK(server.get("/bkt?website").error_code == "NoSuchWebsiteConfiguration");
}

TEST_CASE("bucket configurations: a missing bucket comes first") {
  ConfigurationFixture server;
  for (const std::string name : {"website", "versioning", "policy", "inventory", "inventory&id=x",
                                 "metadataTable", "acl", "policyStatus", "location"}) {
    CAPTURE(name);
    CHECK(server.get("/none?" + name).error_code == "NoSuchBucket");
  }
  CHECK(server.set("/none?website", "nonsense").error_code == "NoSuchBucket");
  CHECK(server.del("/none?website").error_code == "NoSuchBucket");
  CHECK(server.post("/none?metadataTable", "").error_code == "NoSuchBucket");
  CHECK(server.post("/bkt?metadataTable", "").error_code == "NotImplemented");
  CHECK(server.get("/none?nonsense").error_code == server.get("/bkt?nonsense").error_code);
}

TEST_CASE("bucket configurations: what a new bucket has can be removed where S3 has it so") {
  ConfigurationFixture server;
  CHECK(element(server.get("/bkt?publicAccessBlock"), "BlockPublicAcls") == "true");
  CHECK(server.del("/bkt?publicAccessBlock").status == 204);
  CHECK(server.get("/bkt?publicAccessBlock").error_code == "NoSuchPublicAccessBlockConfiguration");
  CHECK(element(server.get("/bkt?encryption"), "SSEAlgorithm") == "AES256");
  CHECK(server.del("/bkt?encryption").status == 204);
  CHECK(element(server.get("/bkt?encryption"), "SSEAlgorithm") == "AES256");
}

TEST_CASE("bucket configurations: what cannot be kept") {
  ConfigurationFixture server;
  CHECK(server.set("/bkt?website", "").error_code == "MissingRequestBodyError");
  CHECK(server.set("/bkt?website", "<Website/>").error_code == "MalformedXML");
  CHECK(server.set("/bkt?website", "<WebsiteConfiguration><IndexDocument/></WebsiteConfiguration>")
            .error_code == "MalformedXML");
  CHECK(server.set("/bkt?policy", "<Policy/>").error_code == "MalformedPolicy");
  CHECK(server.set("/bkt?policy", kPolicy + std::string(20 * 1024, ' ')).error_code ==
        "MaxMessageLengthExceeded");
  CHECK(server.set("/bkt?website", kWebsite, {{"Content-MD5", "JfnnlDI7RTiF9RgfG2JNCw=="}})
            .error_code == "BadDigest");
  CHECK(server.get("/bkt?website").error_code == "NoSuchWebsiteConfiguration");
  CHECK(server.get("/bkt?policy").error_code == "NoSuchBucketPolicy");
}

TEST_CASE("bucket configurations: the policy is JSON, and its status follows from it") {
  ConfigurationFixture server;
  CHECK(server.get("/bkt?policyStatus").error_code == "NoSuchBucketPolicy");
  CHECK(server.set("/bkt?policy", kPolicy).status == 204);
  const Reply policy = server.get("/bkt?policy");
  CHECK(text_of(policy) == kPolicy);
  CHECK(header_of(policy, "Content-Type") == "application/json");
  CHECK(element(server.get("/bkt?policyStatus"), "IsPublic") == "true");
  CHECK(server.del("/bkt?policy").status == 204);
  CHECK(server.get("/bkt?policyStatus").error_code == "NoSuchBucketPolicy");
}

TEST_CASE("bucket configurations: those of which there may be many are told apart by id") {
  ConfigurationFixture server;
  CHECK(server.get("/bkt?metrics&id=a").error_code == "NoSuchConfiguration");
  CHECK(contains(server.get("/bkt?metrics"), "<IsTruncated>false</IsTruncated>"));
  CHECK(server.set("/bkt?metrics&id=b", metrics("b")).status == 200);
  CHECK(server.set("/bkt?metrics&id=a", metrics("a")).status == 200);
  CHECK(server.set("/bkt?metrics&id=a", metrics("b")).error_code == "InvalidArgument");
  CHECK(element(server.get("/bkt?metrics&id=b"), "Id") == "b");
  const Reply all = server.get("/bkt?metrics");
  CHECK(contains(all, "<ListMetricsConfigurationsResult xmlns="));
  CHECK(elements(all, "Id") == std::vector<std::string>{"a", "b"});
  CHECK(elements(server.get("/bkt?inventory"), "Id").empty());
  CHECK(server.del("/bkt?metrics&id=a").status == 204);
  CHECK(elements(server.get("/bkt?metrics"), "Id") == std::vector<std::string>{"b"});
  CHECK(server.get("/bkt?metrics&id=a").error_code == "NoSuchConfiguration");
}

TEST_CASE("bucket configurations: there is an end to how many of one kind a bucket keeps") {
  ConfigurationFixture server;
  const auto set_metrics = [&server](const std::string& id) {
    return server.set("/bkt?metrics&id=" + id, metrics(id)).error_code;
  };
  for (size_t n = 0; n < BucketConfigurations::kMaxOfAKind; ++n) {
    CHECK(set_metrics(std::to_string(n)).empty());
  }
  CHECK(set_metrics("more") == "TooManyConfigurations");
  CHECK(set_metrics("0").empty());
  CHECK(server
            .set("/bkt?analytics&id=a",
                 "<AnalyticsConfiguration><Id>a</Id><StorageClassAnalysis/>"
                 "</AnalyticsConfiguration>")
            .status == 200);
  CHECK(server.set("/bkt?website", kWebsite).status == 200);
  CHECK(server.del("/bkt?metrics&id=0").status == 204);
  CHECK(set_metrics("more").empty());
  CHECK(set_metrics(std::string(65, 'a')) == "InvalidArgument");
}

TEST_CASE("bucket configurations: many are listed in pages of a hundred") {
  ConfigurationFixture server;
  std::vector<std::string> put, listed;
  for (int n = 100; n < 350; ++n) {
    put.push_back(std::to_string(n));
    server.set("/bkt?metrics&id=" + put.back(), metrics(put.back()));
  }
  std::string token, pages;
  do {
    const Reply page = server.get("/bkt?metrics&continuation-token=" + token);
    if (!token.empty()) CHECK(element(page, "ContinuationToken") == token);
    const auto ids = elements(page, "Id");
    listed.insert(listed.end(), ids.begin(), ids.end());
    pages += std::to_string(ids.size()) + " " + element(page, "IsTruncated") + " ";
    token = element(page, "NextContinuationToken");
  } while (token != "(absent)" && listed.size() < put.size());
  CHECK(pages == "100 true 100 true 50 false ");
  CHECK(listed == put);
  CHECK(token == "(absent)");
  CHECK(server.get("/bkt?metrics&continuation-token=x").error_code == "InvalidArgument");
}

TEST_CASE("bucket configurations: the number of rules has a limit") {
  ConfigurationFixture server;
  const auto rules = [&server](const std::string& name, const std::string& root,
                               const std::string& rule, int count) {
    std::string body;
    for (int n = 0; n < count; ++n) body += rule;
    return server.set("/bkt?" + name, "<" + root + ">" + body + "</" + root + ">").error_code;
  };
  const std::string lifecycle = "<Rule><Status>Enabled</Status></Rule>";
  CHECK(rules("lifecycle", "LifecycleConfiguration", lifecycle, 1000).empty());
  CHECK(rules("lifecycle", "LifecycleConfiguration", lifecycle, 1001) == "MalformedXML");
  const std::string cors =
      "<CORSRule><AllowedMethod>GET</AllowedMethod><AllowedOrigin>*</AllowedOrigin></CORSRule>";
  CHECK(rules("cors", "CORSConfiguration", cors, 100).empty());
  CHECK(rules("cors", "CORSConfiguration", cors, 101) == "MalformedXML");
}

TEST_CASE("bucket configurations: lifecycle rules get an id, and a header goes with them") {
  ConfigurationFixture server;
  const std::string rules =
      "<LifecycleConfiguration><Rule><Status>Enabled</Status></Rule></LifecycleConfiguration>";
  const std::string header = "x-amz-transition-default-minimum-object-size";
  CHECK(header_of(server.set("/bkt?lifecycle", rules), header) == "all_storage_classes_128K");
  const Reply kept = server.get("/bkt?lifecycle");
  CHECK_FALSE(element(kept, "ID").empty());
  CHECK(header_of(kept, header) == "all_storage_classes_128K");
  CHECK(header_of(server.set("/bkt?lifecycle", rules, {{header, "varies_by_storage_class"}}),
                  header) == "varies_by_storage_class");
  CHECK(header_of(server.get("/bkt?lifecycle"), header) == "varies_by_storage_class");
}

TEST_CASE("bucket configurations: retention and legal hold need a bucket with object lock") {
  ConfigurationFixture server;
  server.put("/bkt/k", 1);
  for (const std::string name : {"retention", "legal-hold"}) {
    CAPTURE(name);
    CHECK(server.get("/bkt/k?" + name).error_code == "InvalidRequest");
    CHECK(server.set("/bkt/k?" + name, "").error_code == "InvalidRequest");
    CHECK(server.get("/bkt/missing?" + name).error_code == "NoSuchKey");
  }
  server.send({.method = "PUT",
               .target = "/locked",
               .headers = {{"x-amz-bucket-object-lock-enabled", "true"}}});
  server.put("/locked/k", 1);
  CHECK(server.get("/locked/k?retention").error_code == "NoSuchObjectLockConfiguration");
  CHECK(server.set("/locked/k?retention", "").error_code == "NotImplemented");
}

TEST_CASE("bucket configurations: kinds are found by each of their operations") {
  const ConfigurationKind* metrics_kind =
      find_configuration_kind(S3Op::ListBucketMetricsConfigurations);
  REQUIRE(metrics_kind != nullptr);
  CHECK(metrics_kind->name == "metrics");
  CHECK(find_configuration_kind(S3Op::DeleteBucketMetricsConfiguration) == metrics_kind);
  CHECK(find_configuration_kind(S3Op::GetObject) == nullptr);
  CHECK(find_configuration_kind(S3Op::Unsupported) == nullptr);
}
