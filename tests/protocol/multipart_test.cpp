#include <doctest/doctest.h>

#include "tests/protocol/framing.hpp"
#include "tests/protocol/multipart_upload.hpp"

namespace mocks3::test {

TEST_CASE("parts are listed in pages") {
  const TestServer server;
  MultipartUpload upload(server);
  for (int number = 5; number >= 1; --number) upload.put(number, static_cast<size_t>(number));
  const std::string target = "/bkt/k?uploadId=" + upload.id();
  const Response all = server.get(target);
  CHECK(all_between(all.body, "Size") == std::vector<std::string>{"1", "2", "3", "4", "5"});
  CHECK(between(all.body, "IsTruncated") == "false");
  const Response page = server.get(target + "&max-parts=2&part-number-marker=1");
  CHECK(all_between(page.body, "PartNumber") == std::vector<std::string>{"2", "3"});
  CHECK(between(page.body, "IsTruncated") == "true");
  CHECK(between(page.body, "NextPartNumberMarker") == "3");
}

TEST_CASE("an aborted upload is gone, and so is a completed one's list") {
  const TestServer server;
  MultipartUpload upload(server);
  const Part part = upload.put(1, 1);
  const std::string target = "/bkt/k?uploadId=" + upload.id();
  CHECK(server.remove(target).status == 204);
  CHECK(server.get(target).code() == "NoSuchUpload");
  CHECK(upload.put("2", "x").code() == "NoSuchUpload");
  CHECK(upload.complete({part}).code() == "NoSuchUpload");
  CHECK(server.remove(target).code() == "NoSuchUpload");
  CHECK(server.put("/bkt/other?partNumber=1&uploadId=" + upload.id(), "x").code() ==
        "NoSuchUpload");
}

TEST_CASE("completing twice gives the same answer") {
  const TestServer server;
  MultipartUpload upload(server);
  const Part part = upload.put(1, 1);
  const Response once = upload.complete({part}), twice = upload.complete({part});
  CHECK(once.status == 200);
  CHECK(twice.status == 200);
  CHECK(between(once.body, "ETag") == between(twice.body, "ETag"));
}

TEST_CASE("metadata of CreateMultipartUpload is the object's") {
  const TestServer server;
  const Response created = server.post("/bkt/k?uploads=", "",
                                       {{"x-amz-meta-a", "1"},
                                        {"Content-Type", "text/x-test"},
                                        {"x-amz-checksum-algorithm", "CRC64NVME"}});
  const std::string id = between(created.body, "UploadId");
  const std::string etag = server.put("/bkt/k?partNumber=1&uploadId=" + id, "x").header("etag");
  CHECK(server
            .post("/bkt/k?uploadId=" + id,
                  "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>" + etag +
                      "</ETag></Part></CompleteMultipartUpload>")
            .status == 200);
  const Response head = server.head("/bkt/k");
  CHECK(head.header("x-amz-meta-a") == "1");
  CHECK(head.header("content-type") == "text/x-test");
}

TEST_CASE("parts may be copied from objects") {
  const TestServer server;
  server.put("/bkt/source", std::string(1000, 'x'));
  MultipartUpload upload(server);
  const std::string target = "/bkt/k?partNumber=1&uploadId=" + upload.id();
  const Response copied = server.put(
      target, "",
      {{"x-amz-copy-source", "/bkt/source"}, {"x-amz-copy-source-range", "bytes=100-299"}});
  CHECK(copied.status == 200);
  CHECK(copied.body.find("<CopyPartResult") != std::string::npos);
  CHECK(between(server.get("/bkt/k?uploadId=" + upload.id()).body, "Size") == "200");
  for (const char* range : {"bytes=900-1000", "bytes=5-", "bytes=-5", "x"}) {
    const unsigned status =
        server
            .put(target, "",
                 {{"x-amz-copy-source", "/bkt/source"}, {"x-amz-copy-source-range", range}})
            .status;
    CHECK((status == 400 || status == 416));
  }
}

TEST_CASE("a multipart upload is held to the size that it declares") {
  const TestServer server;
  MultipartUpload upload(server);
  const std::vector<Part> parts = {upload.put(1, kFiveMiB), upload.put(2, 7)};
  const auto completed = [&](const std::string& size) {
    return upload.complete(parts, {{"x-amz-mp-object-size", size}});
  };
  CHECK(completed("5242880").code() == "InvalidRequest");
  CHECK(completed("many").code() == "InvalidRequest");
  CHECK(completed("5242887").status == 200);
}

}  // namespace mocks3::test
