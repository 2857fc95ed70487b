#include "shared/util/digest.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <cstdio>
#include <cstdlib>

namespace mocks3 {
namespace {

// OpenSSL's digests fail only where the library is broken or out of memory; there is no way on.
void require(bool succeeded, const char* what) {
  if (succeeded) return;
  std::fprintf(stderr, "OpenSSL failed: %s\n", what);
  std::abort();
}

// Fetched once: a lookup at every digest costs more than the digest of a short string. The
// property query lets MD5 through where FIPS mode is the default.
const EVP_MD* fetch(const char* name) {
  const EVP_MD* algorithm = EVP_MD_fetch(nullptr, name, "-fips");
  require(algorithm != nullptr, name);
  return algorithm;
}

const EVP_MD* md5_algorithm() {
  static const EVP_MD* const algorithm = fetch("MD5");
  return algorithm;
}

const EVP_MD* sha1_algorithm() {
  static const EVP_MD* const algorithm = fetch("SHA1");
  return algorithm;
}

const EVP_MD* sha256_algorithm() {
  static const EVP_MD* const algorithm = fetch("SHA256");
  return algorithm;
}

template <class Digest>
Digest digest_of(const EVP_MD* algorithm, std::string_view bytes) {
  Digest out{};
  require(EVP_Digest(bytes.data(), bytes.size(), out.data(), nullptr, algorithm, nullptr) == 1,
          "digest");
  return out;
}

}  // namespace

Md5 md5(std::string_view bytes) { return digest_of<Md5>(md5_algorithm(), bytes); }

Sha1 sha1(std::string_view bytes) { return digest_of<Sha1>(sha1_algorithm(), bytes); }

Sha256 sha256(std::string_view bytes) { return digest_of<Sha256>(sha256_algorithm(), bytes); }

Sha256 hmac_sha256(std::string_view key, std::string_view bytes) {
  Sha256 out{};
  // A null key means "the key of the call before" to OpenSSL.
  const char* key_data = key.empty() ? "" : key.data();
  require(HMAC(sha256_algorithm(), key_data, static_cast<int>(key.size()),
               reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(), out.data(),
               nullptr) != nullptr,
          "HMAC");
  return out;
}

struct Sha256Stream::State {
  State() : context(EVP_MD_CTX_new()) {
    require(context != nullptr && EVP_DigestInit_ex(context, sha256_algorithm(), nullptr) == 1,
            "start of SHA-256");
  }
  ~State() { EVP_MD_CTX_free(context); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  EVP_MD_CTX* context;
};

Sha256Stream::Sha256Stream() : state_(std::make_unique<State>()) {}
Sha256Stream::~Sha256Stream() = default;
Sha256Stream::Sha256Stream(Sha256Stream&&) noexcept = default;
Sha256Stream& Sha256Stream::operator=(Sha256Stream&&) noexcept = default;

void Sha256Stream::update(std::span<const uint8_t> bytes) {
  require(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()) == 1, "SHA-256");
}

Sha256 Sha256Stream::finish() {
  Sha256 out{};
  require(EVP_DigestFinal_ex(state_->context, out.data(), nullptr) == 1, "end of SHA-256");
  return out;
}

bool constant_time_equal(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace mocks3
