#include "shared/util/digest.hpp"

#include <doctest/doctest.h>

#include "shared/util/encode.hpp"

using namespace mocks3;

namespace {

std::span<const uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

}  // namespace

TEST_CASE("md5: RFC 1321 vectors") {
  CHECK(hex_encode(md5("")) == "d41d8cd98f00b204e9800998ecf8427e");
  CHECK(hex_encode(md5("abc")) == "900150983cd24fb0d6963f7d28e17f72");
  CHECK(hex_encode(md5("message digest")) == "f96b697d7cb7938d525a2f31aaf161d0");
}

TEST_CASE("sha1: FIPS 180 vectors") {
  CHECK(hex_encode(sha1("")) == "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  CHECK(hex_encode(sha1("abc")) == "a9993e364706816aba3e25717850c26c9cd0d89d");
}

TEST_CASE("sha256: FIPS 180 vectors") {
  CHECK(hex_encode(sha256("")) ==
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(hex_encode(sha256("abc")) ==
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("hmac_sha256: RFC 4231 vectors, an empty key and a key longer than a block") {
  CHECK(hex_encode(hmac_sha256(std::string(20, '\x0b'), "Hi There")) ==
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  CHECK(hex_encode(hmac_sha256("Jefe", "what do ya want for nothing?")) ==
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  CHECK(hex_encode(hmac_sha256(std::string(131, '\xaa'),
                               "Test Using Larger Than Block-Size Key - Hash Key First")) ==
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  // The second call must not take over the first one's key.
  CHECK(hex_encode(hmac_sha256("", "")) ==
        "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
  CHECK(hmac_sha256({}, "x") == hmac_sha256("", "x"));
}

TEST_CASE("Sha256Stream: the same digest however the bytes are cut") {
  std::string text;
  for (int i = 0; i < 150; ++i) text += static_cast<char>(i * 7);
  const Sha256 whole = sha256(text);
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    Sha256Stream stream;
    stream.update(bytes_of(text).first(cut));
    stream.update(bytes_of(text).subspan(cut));
    REQUIRE(stream.finish() == whole);
  }
  Sha256Stream stream;
  for (const uint8_t byte : bytes_of(text)) stream.update({&byte, 1});
  CHECK(stream.finish() == whole);
}

TEST_CASE("Sha256Stream: can be moved while under way") {
  Sha256Stream first;
  first.update(bytes_of("ab"));
  Sha256Stream second = std::move(first);
  second.update(bytes_of("c"));
  CHECK(second.finish() == sha256("abc"));
  CHECK(Sha256Stream().finish() == sha256(""));
}

TEST_CASE("constant_time_equal") {
  CHECK(constant_time_equal("", ""));
  CHECK(constant_time_equal("abc", "abc"));
  CHECK_FALSE(constant_time_equal("abc", "abd"));
  CHECK_FALSE(constant_time_equal("bbc", "abc"));
  CHECK_FALSE(constant_time_equal("abc", "ab"));
  CHECK_FALSE(constant_time_equal("", "a"));
}
