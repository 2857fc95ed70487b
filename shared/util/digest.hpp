#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace mocks3 {

using Md5 = std::array<uint8_t, 16>;
using Sha1 = std::array<uint8_t, 20>;
using Sha256 = std::array<uint8_t, 32>;

Md5 md5(std::string_view bytes);
Sha1 sha1(std::string_view bytes);
Sha256 sha256(std::string_view bytes);
Sha256 hmac_sha256(std::string_view key, std::string_view bytes);

/// SHA-256 over bytes that arrive in pieces. Movable, not copyable; one thread at a time.
class Sha256Stream {
 public:
  Sha256Stream();
  ~Sha256Stream();
  Sha256Stream(Sha256Stream&&) noexcept;
  Sha256Stream& operator=(Sha256Stream&&) noexcept;

  void update(std::span<const uint8_t> bytes);
  /// The digest so far; ends the stream.
  Sha256 finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Equal or not, in time that depends only on the lengths.
bool constant_time_equal(std::string_view a, std::string_view b);

}  // namespace mocks3
