#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mocks3 {

/// The boundary of a Content-Type "multipart/form-data; boundary=..." (RFC 2046 section 5.1.1);
/// nothing where it is another type, or a boundary of none or over 70 bytes.
std::optional<std::string> form_boundary(std::string_view content_type);

/// Push decoder of multipart/form-data (RFC 7578) as browsers POST it to a bucket: fields, then one
/// field "file" whose bytes are reported as they come. Fields behind the file are dropped, as S3
/// does. Resumable at any byte; nothing of the file is copied. Limits: what stands before the file,
/// part heads included, 20 KiB as in S3.
class FormDecoder {
 public:
  enum class State {
    more,       ///< needs more input
    done,       ///< the closing boundary was read; what follows is ignored
    failed,     ///< not well-formed
    too_large,  ///< more than 20 KiB before the file
  };
  struct Step {
    size_t consumed = 0;
    /// Bytes of the file. Inside the consumed input, or in this decoder: a piece that looked like
    /// the start of a boundary and was none.
    std::span<const char> data;
    State state = State::more;
  };

  /// `boundary` as form_boundary() gives it.
  explicit FormDecoder(std::string_view boundary);

  /// Takes input up to and including at most one run of the file's bytes.
  Step feed(std::span<const char> input);

  State state() const { return state_; }
  /// Name (lower case) and value in the order received; a name without a value is there too.
  const std::vector<std::pair<std::string, std::string>>& fields() const { return fields_; }
  /// Value of the first field of that name (lower case); nothing where there is none.
  const std::string* field(std::string_view name) const;
  bool has_file() const { return has_file_; }
  /// As the browser named it, without directories; empty where it did not.
  const std::string& file_name() const { return file_name_; }

 private:
  enum class Phase { data, boundary_end, head };
  enum class Part { preamble, field, file, ignored };
  void take_data(std::span<const char> input, Step& step);
  void take_boundary_end(std::span<const char> input, Step& step);
  void take_head(std::span<const char> input, Step& step);
  void begin_part();
  void add(std::span<const char> bytes, Step& step);
  void count_text(size_t bytes);

  std::string delimiter_;  ///< CR LF "--" boundary
  size_t matched_;         ///< bytes of the delimiter that the input ended in
  Phase phase_ = Phase::data;
  Part part_ = Part::preamble;
  State state_ = State::more;
  std::string line_;  ///< part head, or what follows a boundary
  size_t text_bytes_ = 0;
  std::vector<std::pair<std::string, std::string>> fields_;
  bool has_file_ = false;
  std::string file_name_;
};

}  // namespace mocks3
