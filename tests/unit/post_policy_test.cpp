#include "shared/proto/post_policy.hpp"

#include <doctest/doctest.h>

#include "shared/util/encode.hpp"

using namespace mocks3;

namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

constexpr UnixMillis kNow{1'767'323'045'000};  // 2026-01-02T03:04:05Z

std::string base64(std::string_view text) {
  return base64_encode({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

/// Name of the error's code, then its message; empty where the form is good.
std::string verdict(const std::string& document, const Fields& fields, uint64_t bytes = 100) {
  const auto fault = check_post_policy(base64(document), "bench", fields, bytes, kNow);
  if (!fault) return "";
  return std::string(info(fault->code).name) + (fault->message.empty() ? "" : ": ") +
         fault->message;
}

/// With the bucket's condition and an expiration to come.
std::string policy(const std::string& conditions) {
  return R"({"expiration": "2026-01-02T03:05:00Z", "conditions": [{"bucket": "bench"})" +
         (conditions.empty() ? "" : ", " + conditions) + "]}";
}

}  // namespace

TEST_CASE("post policy: conditions that are met") {
  CHECK(verdict(policy(""), {}) == "");
  CHECK(verdict(policy(R"(["starts-with", "$key", "user/"])"), {{"key", "user/x"}}) == "");
  CHECK(verdict(policy(R"(["StArTs-WiTh", "$KeY", ""])"), {{"key", "x"}}) == "");
  CHECK(verdict(policy(R"(["eq", "$key", "x"], {"Acl": "private"})"),
                {{"key", "x"}, {"acl", "private"}}) == "");
  CHECK(verdict(policy(R"(["content-length-range", 100, 100])"), {}) == "");
  CHECK(verdict(policy(R"(["content-length-range", "0", "100"])"), {}) == "");
  CHECK(verdict(policy(""), {{"policy", "p"},
                             {"x-amz-signature", "s"},
                             {"signature", "s"},
                             {"awsaccesskeyid", "k"},
                             {"x-ignore-this", "1"}}) == "");
}

TEST_CASE("post policy: conditions that are not") {
  CHECK(verdict(policy(R"(["starts-with", "$key", "user/"])"), {{"key", "other/x"}}) ==
        "AccessDenied: Invalid according to Policy: Policy Condition failed: "
        R"(["starts-with","$key","user/"])");
  CHECK(verdict(policy(R"({"acl": "private"})"), {}).starts_with("AccessDenied"));
  CHECK(verdict(policy(""), {{"key", "x"}}) ==
        "AccessDenied: Invalid according to Policy: Extra input fields: key");
  CHECK(verdict(R"({"expiration": "2027-01-01T00:00:00Z", "conditions": []})", {}) ==
        "AccessDenied: Invalid according to Policy: Extra input fields: bucket");
  CHECK(verdict(R"({"expiration": "2027-01-01T00:00:00Z", "conditions": [{"bucket": "b"}]})", {})
            .starts_with("AccessDenied"));
  CHECK(verdict(policy(R"(["content-length-range", 0, 99])"), {}) == "EntityTooLarge");
  CHECK(verdict(policy(R"(["content-length-range", 101, 200])"), {}) == "EntityTooSmall");
}

TEST_CASE("post policy: expiration") {
  const auto expiring = [](const std::string& date) {
    return R"({"expiration": ")" + date + R"(", "conditions": [{"bucket": "bench"}]})";
  };
  CHECK(verdict(expiring("2026-01-02T03:04:06.000Z"), {}) == "");
  CHECK(verdict(expiring("2026-01-02T03:04:05.000Z"), {}) ==
        "AccessDenied: Invalid according to Policy: Policy expired.");
  CHECK(verdict(expiring("tomorrow"), {}).starts_with("InvalidPolicyDocument"));
}

TEST_CASE("post policy: documents that are none") {
  for (const char* document : {"", "[]", "{", "\"\xff\"", R"({"conditions": []})",
                               R"({"expiration": "2027-01-01T00:00:00Z"})",
                               R"({"EXPIRATION": "2027-01-01T00:00:00Z", "conditions": []})",
                               R"({"expiration": 1, "conditions": []})",
                               R"({"expiration": "2027-01-01T00:00:00Z", "conditions": {}})"}) {
    CAPTURE(document);
    CHECK(verdict(document, {}).starts_with("InvalidPolicyDocument"));
  }
  for (const char* condition :
       {"1", "{}", R"({"a": 1})", "[]", R"(["eq", "$key"])", R"(["eq", "key", "x"])",
        R"(["like", "$key", "x"])", R"(["content-length-range", 1])",
        R"(["content-length-range", -1, 5])", R"(["content-length-range", "a", 5])"}) {
    CAPTURE(condition);
    CHECK(verdict(policy(condition), {{"key", "x"}}).starts_with("InvalidPolicyDocument"));
  }
  for (const size_t depth : {29u, 40u, 100'000u}) {
    CAPTURE(depth);
    const std::string deep = std::string(depth, '[') + "1" + std::string(depth, ']');
    const std::string code = verdict(policy(R"({"acl": "x", "b": )" + deep + "}"), {});
    CHECK(code.starts_with(depth == 29 ? "AccessDenied" : "InvalidPolicyDocument"));
  }
  CHECK(check_post_policy("not base64!", "bench", {}, 0, kNow)->code ==
        S3Code::InvalidPolicyDocument);
}
