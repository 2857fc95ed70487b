#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

namespace mocks3::server {

/// Bytes received and not yet used. Starts small, since thousands of connections may be idle, and
/// grows only for large heads.
class InputBuffer {
 public:
  static constexpr size_t kStartBytes = 8 * 1024;

  std::span<const char> pending() const { return {bytes_.data() + begin_, end_ - begin_}; }
  bool empty() const { return begin_ == end_; }

  void consume(size_t n) {
    begin_ += n;
    if (begin_ == end_) begin_ = end_ = 0;
  }

  /// Room behind the pending bytes, at least 1 byte and at most `most`. Invalidates pending().
  std::span<char> room(size_t most) {
    if (begin_ > 0) {
      std::memmove(bytes_.data(), bytes_.data() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
    }
    if (end_ == bytes_.size()) bytes_.resize(bytes_.empty() ? kStartBytes : bytes_.size() * 2);
    return std::span<char>(bytes_.data() + end_, bytes_.size() - end_)
        .first(std::min(most, bytes_.size() - end_));
  }
  void added(size_t n) { end_ += n; }

  /// Gives memory back where a large head made it grow. REQUIRES empty().
  void shrink() {
    if (bytes_.size() > kStartBytes) std::vector<char>(kStartBytes).swap(bytes_);
  }

 private:
  std::vector<char> bytes_;
  size_t begin_ = 0, end_ = 0;
};

}  // namespace mocks3::server
