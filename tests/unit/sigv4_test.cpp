#include "shared/proto/sigv4.hpp"

#include <doctest/doctest.h>

#include "shared/util/digest.hpp"
#include "shared/util/encode.hpp"

using namespace mocks3;

// The worked examples of the S3 API reference, "Authenticating Requests: Using the Authorization
// Header", with the keys, date and region that they share.
namespace {

constexpr std::string_view kTimestamp = "20130524T000000Z";
constexpr std::string_view kRegion = "us-east-1";
constexpr std::string_view kEmptyHash =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const Credentials kCredentials = {"AKIAIOSFODNN7EXAMPLE",
                                  "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", ""};

using Headers = std::vector<std::pair<std::string, std::string>>;

SigningInput get(std::string_view path, std::string_view query) {
  return {"GET", path, query,
          Headers{{"Host", "examplebucket.s3.amazonaws.com"},
                  {"x-amz-content-sha256", std::string(kEmptyHash)},
                  {"x-amz-date", std::string(kTimestamp)}},
          kEmptyHash};
}

std::string hash_of_canonical(const SigningInput& input) {
  return hex_encode(sha256(canonical_request(input)));
}

std::string sign(const SigningInput& input) {
  return signature(signing_key(kCredentials.secret_key, "20130524", kRegion),
                   string_to_sign(canonical_request(input), kTimestamp, kRegion));
}

/// The query line of the canonical request.
std::string canonical_query_of(std::string_view query) {
  const std::string text = canonical_request(get("/", query));
  const size_t begin = text.find('\n', text.find('\n') + 1) + 1;
  return text.substr(begin, text.find('\n', begin) - begin);
}

std::string canonical_path_of(std::string_view path) {
  const std::string text = canonical_request(get(path, ""));
  const size_t begin = text.find('\n') + 1;
  return text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace

TEST_CASE("sigv4: GET object with a range, at every stage") {
  SigningInput input = get("/test.txt", "");
  input.headers.emplace_back("Range", "bytes=0-9");
  CHECK(canonical_request(input) ==
        "GET\n/test.txt\n\nhost:examplebucket.s3.amazonaws.com\nrange:bytes=0-9\n"
        "x-amz-content-sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n"
        "x-amz-date:20130524T000000Z\n\nhost;range;x-amz-content-sha256;x-amz-date\n"
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(string_to_sign(canonical_request(input), kTimestamp, kRegion) ==
        "AWS4-HMAC-SHA256\n20130524T000000Z\n20130524/us-east-1/s3/aws4_request\n"
        "7344ae5b7ee6c3e7e6b0fe0640412a37625d1fbfff95c48bbb2dc43964946972");
  CHECK(sign(input) == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
  CHECK(authorization_header(input, kCredentials, kTimestamp, kRegion) ==
        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
        "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
        "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
}

TEST_CASE("sigv4: PUT object") {
  const std::string hash = hex_encode(sha256("Welcome to Amazon S3."));
  const SigningInput input = {"PUT", "/test%24file.text", "",
                              Headers{{"Date", "Fri, 24 May 2013 00:00:00 GMT"},
                                      {"Host", "examplebucket.s3.amazonaws.com"},
                                      {"x-amz-date", std::string(kTimestamp)},
                                      {"x-amz-storage-class", "REDUCED_REDUNDANCY"},
                                      {"x-amz-content-sha256", hash}},
                              hash};
  CHECK(signed_header_names(input) ==
        "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class");
  CHECK(hash_of_canonical(input) ==
        "9e0e90d9c76de8fa5b200d8c849cd5b8dc7a3be3951ddb7f6a76b4158342019d");
  CHECK(sign(input) == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
}

TEST_CASE("sigv4: GET bucket lifecycle, a query without value") {
  const SigningInput input = get("/", "lifecycle");
  CHECK(hash_of_canonical(input) ==
        "9766c798316ff2757b517bc739a67f6213b4ab36dd5da2f94eaebf79c77395ca");
  CHECK(sign(input) == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
  CHECK(sign(get("/", "lifecycle=")) == sign(input));
}

TEST_CASE("sigv4: list objects, in any order of parameters") {
  const SigningInput input = get("/", "max-keys=2&prefix=J");
  CHECK(hash_of_canonical(input) ==
        "df57d21db20da04d7fa30298dd4488ba3a2b47ca3a489c74750e0f1e7df1b9b7");
  CHECK(sign(input) == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
  CHECK(sign(get("/", "prefix=J&max-keys=2")) == sign(input));
}

TEST_CASE("faults C5: the canonical query is sorted by encoded name, then value, and encoded once") {
  CHECK(canonical_query_of("").empty());
  CHECK(canonical_query_of("b=2&a=1&a=0&a") == "a=&a=0&a=1&b=2");
  CHECK(canonical_query_of("a-b=1&a%2Fb=2&a=3&aa=4&A=5") == "A=5&a=3&a%2Fb=2&a-b=1&aa=4");
  CHECK(canonical_query_of("p=a/b c&q=a%2Fb%20c&r=a+b") == "p=a%2Fb%20c&q=a%2Fb%20c&r=a%20b");
  CHECK(canonical_query_of("a=!'()*~=@&b=%21%27%28%29%2a%7e%3d%40") ==
        "a=%21%27%28%29%2A~%3D%40&b=%21%27%28%29%2A~%3D%40");
  CHECK(canonical_query_of("a=%252B&&") == "a=%252B");
  CHECK(canonical_query_of("a=%zz") == "a=%25zz");
}

TEST_CASE("faults C5: the canonical path is encoded once and never normalised") {
  CHECK(canonical_path_of("/") == "/");
  CHECK(canonical_path_of("/b//x/../y/") == "/b//x/../y/");
  CHECK(canonical_path_of("/b/a+b/%2B") == "/b/a%2Bb/%2B");
  CHECK(canonical_path_of("/b/!*'();:@&=$,[]~") ==
        "/b/%21%2A%27%28%29%3B%3A%40%26%3D%24%2C%5B%5D~");
  CHECK(canonical_path_of("/b/%e6%97%a5%20%41") == "/b/%E6%97%A5%20A");
  CHECK(canonical_path_of("/b/%252F") == "/b/%252F");
}

TEST_CASE("sigv4: headers are trimmed, collapsed, sorted, and joined where a name repeats") {
  SigningInput input = get("/", "");
  input.headers = {{"X-Amz-Meta-B", "  a   b  c "},
                   {"host", "h:8080"},
                   {"X-AMZ-META-A", ""},
                   {"x-amz-meta-b", "d"}};
  CHECK(signed_header_names(input) == "host;x-amz-meta-a;x-amz-meta-b");
  CHECK(canonical_request(input).find("\nhost:h:8080\nx-amz-meta-a:\nx-amz-meta-b:a b c,d\n\n") !=
        std::string::npos);
}
