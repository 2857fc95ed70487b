#include "client/engine/answer.hpp"

#include <doctest/doctest.h>

using namespace mocks3::client;

namespace {

Answer answer_of(unsigned status, std::string text) {
  Answer answer;
  answer.status = status;
  answer.text = std::move(text);
  return answer;
}

}  // namespace

TEST_CASE("elements are found whatever the namespace") {
  CHECK(element_text("<A><UploadId>x&amp;y</UploadId></A>", "UploadId") == "x&y");
  CHECK(element_text("<?xml version=\"1.0\"?><s:A xmlns:s=\"u\"><s:B>1</s:B></s:A>", "B") == "1");
  CHECK(element_text("<LocationConstraint>eu</LocationConstraint>", "LocationConstraint") == "eu");
  CHECK(element_text("<A><B>1</B></A>", "C").empty());
  CHECK(element_text("", "A").empty());
  CHECK(element_text("not XML <", "A").empty());
}

TEST_CASE("an error in a 200 is seen") {
  CHECK(is_error_document("<?xml version=\"1.0\"?>\n<Error><Code>InternalError</Code></Error>"));
  // Keep-alive white space may come before it.
  CHECK(is_error_document("\n  \n<Error><Code>InternalError</Code></Error>"));
  CHECK_FALSE(is_error_document("<CompleteMultipartUploadResult/>"));
  CHECK_FALSE(is_error_document(""));
}

TEST_CASE("refusals have a class and a text") {
  const Answer slow =
      answer_of(503, "<Error><Code>SlowDown</Code><Message>Reduce your\nrate.</Message></Error>");
  CHECK(refusal_class(slow) == "503 SlowDown");
  CHECK(refusal_text(slow) == "503 SlowDown: Reduce your rate.");
  CHECK(refusal_class(answer_of(502, "<html>Bad gateway</html>")) == "502");
  CHECK(refusal_text(answer_of(404, "")) == "404");
}

TEST_CASE("the answer to GET must be the bytes that were asked for") {
  Answer answer;
  answer.status = 200;
  answer.content_length = 100;
  CHECK(object_answer_fault(answer, false, 0, 100, 100).empty());
  CHECK(object_answer_fault(answer, false, 0, 99, 99) == "Content-Length 100 where 99 was due");
  CHECK(object_answer_fault(answer, true, 0, 100, 200) == "status 200 where 206 was due");
  answer.content_length.reset();
  CHECK(object_answer_fault(answer, false, 0, 100, 100) == "no Content-Length");

  answer.status = 206;
  answer.content_length = 10;
  answer.content_range = "bytes 10-19/30";
  CHECK(object_answer_fault(answer, true, 10, 10, 30).empty());
  CHECK_FALSE(object_answer_fault(answer, true, 20, 10, 30).empty());
  CHECK_FALSE(object_answer_fault(answer, true, 10, 10, 31).empty());
  CHECK_FALSE(object_answer_fault(answer, false, 10, 10, 30).empty());
  answer.content_range.clear();
  CHECK_FALSE(object_answer_fault(answer, true, 10, 10, 30).empty());
}
