#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mocks3 {

/// Push decoder of chunked framing: HTTP's Transfer-Encoding: chunked (RFC 9112 section 7.1) and
/// S3's aws-chunked in its signed, unsigned and trailer forms, which share one grammar:
///   size[;extension] CRLF data CRLF ... 0[;extension] CRLF (trailer CRLF)* CRLF
/// Resumable at any byte; data are sub-spans of the input, never copied. Bare LF is accepted as a
/// line end. Limits: size lines 1 KiB, trailers 16 KiB and 64 fields in all, sizes 16 hexadecimal
/// digits and 2^62.
class ChunkedDecoder {
 public:
  enum class State {
    more,    ///< needs more input
    done,    ///< the end was read; what follows is not part of the body
    failed,  ///< not chunked framing; reason() says why
  };
  struct Step {
    size_t consumed = 0;         ///< input bytes used up, data included
    std::span<const char> data;  ///< decoded bytes, inside the consumed input; may be empty
    State state = State::more;
  };

  /// `aws` tolerates what signers of aws-chunked (minio-go) send in place of CRLF after the
  /// trailers: "name:value" LF CRLF "x-amz-trailer-signature:..." CRLF CRLF, where HTTP would end
  /// at the second line end.
  enum class Dialect { http, aws };
  explicit ChunkedDecoder(Dialect dialect = Dialect::http) : dialect_(dialect) {}

  /// Takes framing up to and including at most one run of data. Call again with the rest until
  /// `consumed` reaches the input's size or the state is no longer `more`.
  Step feed(std::span<const char> input);

  /// Takes framing only, and stops where data are due; gives the bytes used up.
  size_t take_framing(std::span<const char> input);

  /// Bytes that are now due as pure chunk data: they may be thrown away without being looked at,
  /// then reported with skip(). 0 while framing is due.
  uint64_t data_due() const { return phase_ == Phase::data ? left_ : 0; }
  /// REQUIRES bytes <= data_due().
  void skip(uint64_t bytes);

  /// Whether the input may end here although the last CRLF is missing (some senders of
  /// aws-chunked stop after the last trailer).
  bool may_end_here() const { return phase_ == Phase::trailer && line_.empty(); }

  State state() const;
  uint64_t decoded_bytes() const { return decoded_; }
  std::string_view reason() const { return reason_; }
  /// Trailer fields in the order received, names in lower case.
  const std::vector<std::pair<std::string, std::string>>& trailers() const { return trailers_; }

 private:
  enum class Phase { size_line, data, data_end, trailer, done, failed };
  bool take_line(std::span<const char> input, size_t& position);
  void end_line(std::string_view line, bool bare_lf);
  void end_size_line(std::string_view line);
  void end_trailer_line(std::string_view line, bool bare_lf);
  size_t line_limit() const;
  void fail(std::string_view reason);

  Dialect dialect_;
  Phase phase_ = Phase::size_line;
  bool after_bare_lf_ = false;  ///< the trailer line before ended in LF without CR
  uint64_t left_ = 0;
  uint64_t decoded_ = 0;
  size_t trailer_bytes_ = 0;
  std::string line_;  ///< the part of a line that earlier inputs held
  std::vector<std::pair<std::string, std::string>> trailers_;
  std::string_view reason_;
};

}  // namespace mocks3
