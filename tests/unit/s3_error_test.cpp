#include "shared/proto/s3_error.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace mocks3;

TEST_CASE("s3 error: codes that clients act upon have S3's status") {
  CHECK(info(S3Code::AccessDenied).status == 403);
  CHECK(info(S3Code::NoSuchBucket).status == 404);
  CHECK(info(S3Code::NoSuchKey).status == 404);
  CHECK(info(S3Code::NoSuchUpload).status == 404);
  CHECK(info(S3Code::NoSuchBucketPolicy).status == 404);
  CHECK(info(S3Code::NoSuchCORSConfiguration).status == 404);
  CHECK(info(S3Code::MethodNotAllowed).status == 405);
  CHECK(info(S3Code::BucketNotEmpty).status == 409);
  CHECK(info(S3Code::BucketAlreadyOwnedByYou).status == 409);
  CHECK(info(S3Code::MissingContentLength).status == 411);
  CHECK(info(S3Code::PreconditionFailed).status == 412);
  CHECK(info(S3Code::InvalidRange).status == 416);
  CHECK(info(S3Code::EntityTooLarge).status == 400);
  CHECK(info(S3Code::RequestTimeout).status == 400);
  CHECK(info(S3Code::InternalError).status == 500);
  CHECK(info(S3Code::NotImplemented).status == 501);
  CHECK(info(S3Code::SlowDown).status == 503);
  CHECK(info(S3Code::ServiceUnavailable).status == 503);
}

TEST_CASE("s3 error: every code has its own name, an error status and a message") {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(S3Code::TooManyConfigurations); ++i) {
    const S3CodeInfo& row = info(static_cast<S3Code>(i));
    CHECK(names.insert(row.name).second);
    CHECK(row.status >= 400);
    CHECK(row.status < 600);
    CHECK_FALSE(row.message.empty());
  }
}

TEST_CASE("s3 error: the body has S3's elements in order, without namespace") {
  S3Error error(S3Code::InvalidRange);
  error.details = {{"RangeRequested", "bytes=600-"}, {"ActualObjectSize", "600"}};
  CHECK(error_xml(error, "/b/k", "7F00000000000001") ==
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<Error><Code>InvalidRange</Code>"
        "<Message>The requested range is not satisfiable</Message>"
        "<Resource>/b/k</Resource>"
        "<RangeRequested>bytes=600-</RangeRequested><ActualObjectSize>600</ActualObjectSize>"
        "<RequestId>7F00000000000001</RequestId><HostId>mock-s3</HostId></Error>");
}

TEST_CASE("s3 error: own message and hostile resource are escaped") {
  const std::string xml =
      error_xml(S3Error(S3Code::NoSuchKey, "no <such> thing"), "/b/R&D <1>\"'.txt\x01\xFF", "id");
  CHECK(xml.find("<Message>no &lt;such&gt; thing</Message>") != std::string::npos);
  CHECK(xml.find("<Resource>/b/R&amp;D &lt;1&gt;&quot;&apos;.txt\xEF\xBF\xBD\xEF\xBF\xBD"
                 "</Resource>") != std::string::npos);
}
