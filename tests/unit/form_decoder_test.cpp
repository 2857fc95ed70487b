#include "shared/proto/form_decoder.hpp"

#include <doctest/doctest.h>

using namespace mocks3;

namespace {

using State = FormDecoder::State;

struct Form {
  State state = State::more;
  std::vector<std::pair<std::string, std::string>> fields;
  std::string file, file_name;
  bool has_file = false;
  bool operator==(const Form&) const = default;
};

std::string part(const std::string& disposition, const std::string& value) {
  return "--XX\r\nContent-Disposition: form-data; " + disposition + "\r\n\r\n" + value + "\r\n";
}

/// The input in pieces of `piece` bytes.
Form decode(std::string_view input, size_t piece) {
  FormDecoder decoder("XX");
  Form form;
  for (size_t begin = 0; begin < input.size() && decoder.state() == State::more; begin += piece) {
    const std::string_view bytes = input.substr(begin, piece);
    std::span<const char> rest(bytes.data(), bytes.size());
    while (!rest.empty() && decoder.state() == State::more) {
      const FormDecoder::Step step = decoder.feed(rest);
      REQUIRE(step.consumed <= rest.size());
      const bool advanced = step.consumed > 0 || !step.data.empty();
      REQUIRE(advanced);
      REQUIRE(step.state == decoder.state());
      form.file.append(step.data.data(), step.data.size());
      rest = rest.subspan(step.consumed);
    }
  }
  form.state = decoder.state();
  form.fields = decoder.fields();
  form.has_file = decoder.has_file();
  form.file_name = decoder.file_name();
  return form;
}

/// Whole, and cut into pieces of every small size: the same each time.
Form decode_all_ways(std::string_view input) {
  Form whole = decode(input, input.size());
  for (size_t piece = 1; piece <= 40; ++piece) {
    CAPTURE(piece);
    CHECK(decode(input, piece) == whole);
  }
  return whole;
}

}  // namespace

TEST_CASE("form boundary: what counts as one") {
  CHECK(form_boundary("multipart/form-data; boundary=abc") == "abc");
  CHECK(form_boundary("Multipart/Form-Data;charset=utf-8; Boundary=\"a b;c\"") == "a b;c");
  CHECK(form_boundary("multipart/form-data;boundary=a; x=y") == "a");
  for (const char* bad : {"", "text/plain", "multipart/form-data", "multipart/form-data; boundary=",
                          "multipart/mixed; boundary=a", "multipart/form-data; boundary=\"\""}) {
    CAPTURE(bad);
    CHECK_FALSE(form_boundary(bad));
  }
  CHECK_FALSE(form_boundary("multipart/form-data; boundary=" + std::string(71, 'x')));
}

TEST_CASE("form decoder: fields, then the file") {
  const std::string file = "\r\n--X\r\n\r\n--XY is not a boundary\r\r\n-";
  const Form form =
      decode_all_ways(part("name=\"Key\"", "a/${filename}") +
                      part("name=x-amz-meta-tag", "a\r\nb") + part("name=\"empty\"", "") +
                      part("name=\"file\"; filename=\"C:\\dir\\my \\\"f\\\".txt\"", file) +
                      part("name=\"after\"", "ignored") + "--XX--\r\nepilogue");
  CHECK(form.state == State::done);
  CHECK(form.fields == decltype(form.fields){
                           {"key", "a/${filename}"}, {"x-amz-meta-tag", "a\r\nb"}, {"empty", ""}});
  CHECK(form.file == file);
  CHECK(form.file_name == "my \"f\".txt");
}

TEST_CASE(
    "form decoder: a line end before the first boundary, white space behind it, no file name") {
  const Form form = decode_all_ways(
      "\r\n--XX \t\r\nX-Other: 1\r\ncontent-disposition:form-data;name=file\r\n\r\nbody\r\n--XX--");
  CHECK(form.state == State::done);
  CHECK(form.has_file);
  CHECK(form.file == "body");
  CHECK(form.file_name.empty());
}

TEST_CASE("form decoder: without an end there is more to come") {
  CHECK(decode_all_ways(part("name=\"file\"", "abc")).state == State::more);
  CHECK(decode_all_ways("--X").state == State::more);
  CHECK(decode_all_ways("--XX--").state == State::done);
  CHECK_FALSE(decode_all_ways("--XX--").has_file);
}

TEST_CASE("form decoder: what is not well-formed") {
  CHECK(decode_all_ways("--XXgarbage\r\n\r\n").state == State::failed);
  CHECK(decode_all_ways("--XX\r\n\r\nno head\r\n--XX--").state == State::failed);
  CHECK(decode_all_ways("--XX\r\nContent-Disposition: attachment; name=a\r\n\r\n").state ==
        State::failed);
  CHECK(decode_all_ways("--XX\r\nContent-Disposition: form-data\r\n\r\n").state == State::failed);
}

TEST_CASE("form decoder: 20 KiB before the file, no limit for the file") {
  CHECK(decode(part("name=\"a\"", std::string(21'000, 'x')) + "--XX--", 1000).state ==
        State::too_large);
  CHECK(decode(part(std::string(21'000, 'x'), ""), 1000).state == State::too_large);
  CHECK(decode(std::string(21'000, 'x'), 1000).state == State::too_large);
  const Form large = decode(part("name=\"file\"", std::string(100'000, '\r')) + "--XX--", 777);
  CHECK(large.state == State::done);
  CHECK(large.file.size() == 100'000);
}
