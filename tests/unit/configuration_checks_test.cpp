#include "server/configuration_checks.hpp"

#include <doctest/doctest.h>

using namespace mocks3;
using namespace mocks3::server;

namespace {

using Check = std::optional<S3Error> (*)(const std::string&, const BucketConfigurations&);

std::string code(Check check, const std::string& document, const BucketConfigurations& kept) {
  const auto error = check(document, kept);
  return error ? std::string(info(error->code).name) : "fine";
}
std::string code(Check check, const std::string& document) {
  return code(check, document, BucketConfigurations());
}

std::string lifecycle(const std::string& rules) {
  return "<LifecycleConfiguration>" + rules + "</LifecycleConfiguration>";
}
std::string rule(const std::string& id, const std::string& expiration) {
  return "<Rule><ID>" + id + "</ID><Expiration>" + expiration + "</Expiration></Rule>";
}
std::string cors(const std::string& rule) {
  return "<CORSConfiguration><CORSRule>" + rule + "</CORSRule></CORSConfiguration>";
}
std::string lock(const std::string& retention) {
  return "<ObjectLockConfiguration><Rule><DefaultRetention>" + retention +
         "</DefaultRetention></Rule></ObjectLockConfiguration>";
}
std::string policy(const std::string& statement) {
  return R"({"Version":"2012-10-17","Statement":)" + statement + "}";
}
std::string statement(const std::string& principal, const std::string& more = "") {
  return R"({"Effect":"Allow","Action":"s3:*","Resource":"*","Principal":)" + principal + more +
         "}";
}

constexpr char kVersioned[] =
    "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>";
constexpr char kSuspended[] =
    "<VersioningConfiguration><Status>Suspended</Status></VersioningConfiguration>";

}  // namespace

TEST_CASE("configuration checks: lifecycle") {
  CHECK(code(check_lifecycle, lifecycle(rule("a", "<Days>1</Days>") + rule("b", ""))) == "fine");
  CHECK(code(check_lifecycle, lifecycle(rule("a", "") + rule("a", ""))) == "InvalidArgument");
  CHECK(code(check_lifecycle, lifecycle(rule("", "") + rule("", ""))) == "fine");
  CHECK(code(check_lifecycle, lifecycle(rule(std::string(255, 'a'), ""))) == "fine");
  CHECK(code(check_lifecycle, lifecycle(rule(std::string(256, 'a'), ""))) == "InvalidArgument");
  for (const std::string days : {"0", "-1", "x", ""}) {
    CAPTURE(days);
    CHECK(code(check_lifecycle, lifecycle(rule("a", "<Days>" + days + "</Days>"))) ==
          "InvalidArgument");
  }
  const auto date = [](const std::string& text) {
    return code(check_lifecycle, lifecycle(rule("a", "<Date>" + text + "</Date>")));
  };
  CHECK(date("2030-01-02") == "fine");
  CHECK(date("2030-01-02T00:00:00Z") == "fine");
  CHECK(date("2030-01-02T12:00:00Z") == "InvalidArgument");
  CHECK(date("20300102") == "MalformedXML");
  CHECK(date("2030/01/02") == "MalformedXML");
}

TEST_CASE("configuration checks: CORS") {
  CHECK(code(check_cors, cors("<AllowedMethod>GET</AllowedMethod><AllowedOrigin>http://*.x"
                              "</AllowedOrigin><AllowedHeader>*</AllowedHeader>")) == "fine");
  CHECK(code(check_cors, cors("<AllowedMethod>PATCH</AllowedMethod>")) == "InvalidRequest");
  CHECK(code(check_cors, cors("<AllowedMethod>get</AllowedMethod>")) == "InvalidRequest");
  CHECK(code(check_cors, cors("<AllowedOrigin>*.*</AllowedOrigin>")) == "InvalidRequest");
  CHECK(code(check_cors, cors("<AllowedHeader>**</AllowedHeader>")) == "InvalidRequest");
  CHECK(code(check_cors, cors("<ExposeHeader>x-*</ExposeHeader>")) == "InvalidRequest");
}

TEST_CASE("configuration checks: versioning, and what needs it") {
  BucketConfigurations kept;
  CHECK(code(check_replication, "", kept) == "InvalidRequest");
  CHECK(code(check_object_lock, lock("<Days>1</Days>"), kept) == "InvalidBucketState");
  CHECK(code(check_versioning, kSuspended, kept) == "fine");
  kept.keep("versioning", kSuspended);
  CHECK(code(check_replication, "", kept) == "InvalidRequest");
  kept.keep("versioning", kVersioned);
  CHECK(code(check_replication, "", kept) == "fine");
  CHECK(code(check_object_lock, lock("<Days>1</Days>"), kept) == "fine");
  CHECK(code(check_object_lock, "<ObjectLockConfiguration/>", kept) == "fine");
  CHECK(code(check_object_lock, lock("<Days>1</Days><Years>1</Years>"), kept) == "MalformedXML");
  CHECK(code(check_object_lock, lock(""), kept) == "MalformedXML");
  CHECK(code(check_object_lock, lock("<Years>0</Years>"), kept) == "InvalidArgument");
  kept.keep("object-lock", lock("<Days>1</Days>"));
  CHECK(code(check_versioning, kSuspended, kept) == "InvalidBucketState");
  CHECK(code(check_versioning, kVersioned, kept) == "fine");
  for (const std::string status : {"", "<Status/>", "<Status>enabled</Status>"}) {
    CHECK(code(check_versioning,
               "<VersioningConfiguration>" + status + "</VersioningConfiguration>") ==
          "IllegalVersioningConfigurationException");
  }
}

TEST_CASE("configuration checks: policies") {
  CHECK(code(check_policy, policy("[" + statement("\"*\"") + "]")) == "fine");
  CHECK(code(check_policy, policy(statement("\"*\""))) == "fine");
  for (const std::string& text :
       {std::string("<Policy/>"), std::string("[]"), std::string("{"), std::string("{}"),
        policy("[]"), policy("[1]"), policy("[{}]"), policy(R"([{"Effect":"Allow"}])"),
        policy(R"([{"Effect":"Maybe","Action":"*","Resource":"*","Principal":"*"}])")}) {
    CAPTURE(text);
    CHECK(code(check_policy, text) == "MalformedPolicy");
  }
}

TEST_CASE("configuration checks: policies are not deep") {
  const auto nested = [](size_t depth) {
    return std::string(depth, '[') + "1" + std::string(depth, ']');
  };
  const auto with_condition = [&](size_t depth) {
    return code(check_policy, policy(statement("\"*\"", ",\"Condition\":" + nested(depth))));
  };
  CHECK(with_condition(30) == "fine");
  CHECK(with_condition(31) == "MalformedPolicy");
  CHECK(with_condition(10000) == "MalformedPolicy");
  CHECK(code(check_policy, policy(nested(10000))) == "MalformedPolicy");
  CHECK(code(check_policy, policy("[{\"Principal\":1,\"Action\":1,\"Resource\":1,\"Effect\":" +
                                  nested(10000) + "}]")) == "MalformedPolicy");
  CHECK_FALSE(policy_is_public(policy(statement(nested(10000)))));
}

TEST_CASE("configuration checks: policies that let anybody in") {
  CHECK(policy_is_public(policy(statement("\"*\""))));
  CHECK(policy_is_public(
      policy("[" + statement("\"x\"") + "," + statement("{\"AWS\":\"*\"}") + "]")));
  CHECK(policy_is_public(policy(statement("{\"AWS\":[\"x\",\"*\"]}"))));
  CHECK_FALSE(policy_is_public(policy(statement("{\"AWS\":\"arn:aws:iam::1:root\"}"))));
  CHECK_FALSE(policy_is_public(policy(statement("{\"Service\":\"*\"}"))));
  CHECK_FALSE(policy_is_public(policy(statement("\"*\"", R"(,"Condition":{})"))));
  CHECK_FALSE(
      policy_is_public(policy(R"({"Effect":"Deny","Action":"*","Resource":"*","Principal":"*"})")));
}
