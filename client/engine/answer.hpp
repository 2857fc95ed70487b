#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mocks3::client {

/// What matters of a response; the body only where it is read as text.
struct Answer {
  unsigned status = 0;
  bool keep_alive = true;
  bool chunked = false;
  std::optional<uint64_t> content_length;
  std::string etag;           ///< as sent, quotes included
  std::string content_range;  ///< as sent
  std::string text;

  bool good() const { return status >= 200 && status < 300; }
};

/// Text of the first element of that name below the root, or of the root itself, whatever its
/// namespace prefix; empty where there is none or `xml` is not XML.
std::string element_text(std::string_view xml, std::string_view name);
/// Whether the root is <Error>: CompleteMultipartUpload and CopyObject answer 200 and then fail.
bool is_error_document(std::string_view xml);

/// Class of a refusal for counting: "503 SlowDown", or "503" where the body says no code.
std::string refusal_class(const Answer& answer);
/// For a person: the class and the message of the body.
std::string refusal_text(const Answer& answer);

/// What is wrong with the answer to GET of [first, first + length) of an object of `size` bytes
/// (`ranged`: with a Range header); empty where it is right. REQUIRES answer.good().
std::string object_answer_fault(const Answer& answer, bool ranged, uint64_t first, uint64_t length,
                                uint64_t size);

}  // namespace mocks3::client
