#include "shared/proto/form_decoder.hpp"

#include <algorithm>

#include "shared/util/encode.hpp"

namespace mocks3 {
namespace {

constexpr size_t kMaxTextBytes = 20 * 1024;
constexpr size_t kMaxBoundaryBytes = 70;

/// Parameters of a header value: "; name=value" or "; name="value"", with \" for a quote inside.
class Parameters {
 public:
  explicit Parameters(std::string_view value) {
    size_t at = value.find(';');
    while (at != std::string_view::npos) at = read_one(value, at + 1);
  }

  const std::string* get(std::string_view name) const {
    for (const auto& [known, value] : items_)
      if (known == name) return &value;
    return nullptr;
  }

 private:
  /// Gives where the next semicolon is.
  size_t read_one(std::string_view text, size_t begin) {
    const size_t equals = text.find('=', begin);
    if (equals == std::string_view::npos) return equals;
    std::string name = to_lower(trim(text.substr(begin, equals - begin)));
    size_t at = text.find_first_not_of(" \t", equals + 1);
    std::string value;
    if (at != std::string_view::npos && text[at] == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at) {
        const bool escaped = text[at] == '\\' && at + 1 < text.size() && text[at + 1] == '"';
        if (escaped) ++at;
        value += text[at];
      }
      at = text.find(';', at);
    } else if (at != std::string_view::npos) {
      const size_t end = text.find(';', at);
      value = trim(text.substr(at, end == std::string_view::npos ? end : end - at));
      at = end;
    }
    items_.emplace_back(std::move(name), std::move(value));
    return at;
  }

  std::vector<std::pair<std::string, std::string>> items_;
};

/// Value of a header in the head of a part.
std::string_view part_header(std::string_view head, std::string_view name) {
  while (!head.empty()) {
    const size_t end = std::min(head.find("\r\n"), head.size());
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(std::min(head.size(), end + 2));
    const size_t colon = line.find(':');
    if (colon != std::string_view::npos && iequals(trim(line.substr(0, colon)), name))
      return trim(line.substr(colon + 1));
  }
  return {};
}

}  // namespace

std::optional<std::string> form_boundary(std::string_view content_type) {
  const std::string_view type = trim(content_type.substr(0, content_type.find(';')));
  if (!iequals(type, "multipart/form-data")) return std::nullopt;
  const Parameters parameters(content_type);
  const std::string* const boundary = parameters.get("boundary");
  if (boundary == nullptr || boundary->empty() || boundary->size() > kMaxBoundaryBytes ||
      boundary->find_first_of("\r\n") != std::string::npos)
    return std::nullopt;
  return *boundary;
}

// The first boundary may stand at the very start, without a line end before it.
FormDecoder::FormDecoder(std::string_view boundary)
    : delimiter_("\r\n--" + std::string(boundary)), matched_(2) {}

const std::string* FormDecoder::field(std::string_view name) const {
  for (const auto& [known, value] : fields_)
    if (known == name) return &value;
  return nullptr;
}

FormDecoder::Step FormDecoder::feed(std::span<const char> input) {
  Step step;
  while (step.data.empty() && step.consumed < input.size() && state_ == State::more) {
    const std::span<const char> rest = input.subspan(step.consumed);
    if (phase_ == Phase::data)
      take_data(rest, step);
    else if (phase_ == Phase::boundary_end)
      take_boundary_end(rest, step);
    else
      take_head(rest, step);
  }
  if (state_ == State::done) step.consumed = input.size();
  step.state = state_;
  return step;
}

/// Data of the part up to the next CR, or the delimiter that a CR begins: CR is only its first
/// byte, so that a failed match can only start again where it failed.
void FormDecoder::take_data(std::span<const char> input, Step& step) {
  if (matched_ == 0) {
    const auto cr = std::find(input.begin(), input.end(), '\r');
    const size_t length = static_cast<size_t>(cr - input.begin());
    if (length > 0) return add(input.first(length), step);
  }
  size_t used = 0;
  while (used < input.size() && matched_ < delimiter_.size() &&
         input[used] == delimiter_[matched_]) {
    ++used;
    ++matched_;
  }
  step.consumed += used;
  if (matched_ == delimiter_.size()) {
    matched_ = 0;
    phase_ = Phase::boundary_end;
  } else if (used < input.size()) {
    const size_t consumed = step.consumed;
    add({delimiter_.data(), std::exchange(matched_, 0)}, step);
    step.consumed = consumed;  // those bytes came before
  }
}

/// A run of bytes of the current part.
void FormDecoder::add(std::span<const char> bytes, Step& step) {
  step.consumed += bytes.size();
  if (part_ == Part::file) step.data = bytes;
  if (part_ == Part::preamble) count_text(bytes.size());
  if (part_ != Part::field) return;
  count_text(bytes.size());
  if (state_ == State::more) fields_.back().second.append(bytes.data(), bytes.size());
}

void FormDecoder::count_text(size_t bytes) {
  text_bytes_ += bytes;
  if (text_bytes_ > kMaxTextBytes) state_ = State::too_large;
}

/// "--" closes the form; otherwise the line ends, and a part's head begins.
void FormDecoder::take_boundary_end(std::span<const char> input, Step& step) {
  line_ += input.front();
  ++step.consumed;
  if (line_ == "--") {
    state_ = State::done;
  } else if (line_.ends_with("\r\n")) {
    const bool blank = trim(std::string_view(line_).substr(0, line_.size() - 2)).empty();
    if (!blank) state_ = State::failed;
    line_ = "\r\n";  // so that an empty head ends like any other
    phase_ = Phase::head;
  } else if (line_.size() > kMaxBoundaryBytes) {
    state_ = State::failed;
  }
}

void FormDecoder::take_head(std::span<const char> input, Step& step) {
  line_ += input.front();
  ++step.consumed;
  count_text(1);
  if (state_ != State::more || !line_.ends_with("\r\n\r\n")) return;
  begin_part();
  line_.clear();
  phase_ = Phase::data;
}

void FormDecoder::begin_part() {
  const std::string_view disposition = part_header(line_, "content-disposition");
  const Parameters parameters(disposition);
  const std::string* const name = parameters.get("name");
  if (name == nullptr || !istarts_with(disposition, "form-data")) {
    state_ = State::failed;
    return;
  }
  if (has_file_) {
    part_ = Part::ignored;
  } else if (iequals(*name, "file")) {
    part_ = Part::file;
    has_file_ = true;
    if (const std::string* file = parameters.get("filename"))
      file_name_ = file->substr(file->find_last_of("/\\") + 1);
  } else {
    part_ = Part::field;
    fields_.emplace_back(to_lower(*name), "");
  }
}

}  // namespace mocks3
