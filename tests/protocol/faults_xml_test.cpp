#include <doctest/doctest.h>

#include <algorithm>
#include <clocale>
#include <locale>
#include <pugixml.hpp>

#include "shared/util/encode.hpp"
#include "tests/protocol/framing.hpp"

namespace mocks3::test {

TEST_CASE("faults E4: any XML reader can read listings and errors with awkward names") {
  const TestServer server;
  const std::string key = "R&D <1>\"'.txt";
  for (const std::string& name : {key,
                                  std::string("a\x01"
                                              "b"),
                                  std::string("]]>&lt;")})
    REQUIRE(server.put("/bkt/" + percent_encode(name), "x").status == 200);
  pugi::xml_document xml;
  for (const char* version : {"", "&list-type=2"}) {
    CHECK(xml.load_string(server.get("/bkt?prefix=R" + std::string(version)).body.c_str()));
    CHECK(xml.child("ListBucketResult").child("Contents").child_value("Key") == key);
    CHECK(xml.load_string(server.get("/bkt?prefix=%5D" + std::string(version)).body.c_str()));
    CHECK(xml.child("ListBucketResult").child("Contents").child_value("Key") ==
          std::string("]]>&lt;"));
    CHECK(xml.load_string(server.get("/bkt?" + std::string(version)).body.c_str()));
  }
  const std::string missing = "/bkt/" + percent_encode(key + "x");
  CHECK(xml.load_string(server.get(missing).body.c_str()));
  CHECK(xml.child("Error").child_value("Key") == key + "x");
  const std::string created = server.post("/bkt/" + percent_encode(key) + "?uploads", "").body;
  CHECK(xml.load_string(created.c_str()));
  CHECK(xml.child("InitiateMultipartUploadResult").child_value("Key") == key);
  const std::string deleted =
      server.post("/bkt?delete", "<Delete><Object><Key>R&amp;D &lt;1></Key></Object></Delete>")
          .body;
  CHECK(xml.load_string(deleted.c_str()));
  CHECK(xml.child("DeleteResult").child("Deleted").child_value("Key") == std::string("R&D <1>"));
}

TEST_CASE("faults E6: every answer in XML starts with the declaration and names S3's namespace") {
  const TestServer server;
  server.put("/bkt/k", "x");
  const std::string id = between(server.post("/bkt/k?uploads", "").body, "UploadId");
  const Headers copy = {{"x-amz-copy-source", "bkt/k"}};
  for (const Response& answer :
       {server.get("/"), server.get("/bkt"), server.get("/bkt?list-type=2"),
        server.get("/bkt?location"), server.get("/bkt?versioning"), server.get("/bkt?acl"),
        server.get("/bkt/k?tagging"), server.put("/bkt/c", "", copy), server.get("/bkt?versions"),
        server.get("/bkt?uploads"), server.get("/bkt/k?acl"),
        server.get("/bkt/k?attributes", {{"x-amz-object-attributes", "ETag"}}),
        server.post("/bkt/k?uploads", ""), server.get("/bkt/k?uploadId=" + id),
        server.post("/bkt?delete", "<Delete><Object><Key>n</Key></Object></Delete>")}) {
    CAPTURE(answer.body);
    CHECK(answer.status == 200);
    CHECK(answer.header("content-type") == "application/xml");
    CHECK(answer.body.substr(0, 14) == "<?xml version=");
    CHECK(answer.body.find(" xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"") < 120);
    CHECK(pugi::xml_document().load_string(answer.body.c_str()));
  }
  const Response error = server.get("/bkt/none");
  CHECK(error.body.substr(0, 14) == "<?xml version=");
  CHECK(error.body.find("xmlns") == std::string::npos);
}

TEST_CASE("faults E6: request bodies may have a namespace, CDATA, comments and white space") {
  const TestServer server;
  const std::string prolog = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  for (const std::string& start : {std::string(), prolog, "\xEF\xBB\xBF" + prolog,
                                   std::string("<?xml version='1.0'?><!-- comment -->\r\n")})
    for (const std::string& xmlns :
         {std::string(), std::string(" xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\""),
          std::string(" xmlns='http://s3.amazonaws.com/doc/2006-03-01/' ")}) {
      CAPTURE(start);
      CAPTURE(xmlns);
      server.put("/bkt/k", "x");
      const Response deleted = server.post(
          "/bkt?delete", start + "<Delete" + xmlns +
                             ">\n\t<Quiet> false </Quiet><!-- all --><Object>\n<Key><![CDATA[k]]>"
                             "</Key>\n</Object>\n</Delete>\n");
      CHECK(deleted.status == 200);
      CHECK(between(between(deleted.body, "Deleted"), "Key") == "k");
      CHECK(server.size_of("/bkt/k") == "none");
      const std::string id = between(server.post("/bkt/m?uploads", "").body, "UploadId");
      const std::string target = "/bkt/m?uploadId=" + id;
      const std::string etag = server.put(target + "&partNumber=1", "x").header("etag");
      const std::string list = start + "<CompleteMultipartUpload" + xmlns +
                               ">\n <Part>\n <ETag><![CDATA[" + etag +
                               "]]></ETag>\n <PartNumber>\n1\n</PartNumber></Part>\n"
                               "</CompleteMultipartUpload>";
      CHECK(server.post(target, list).status == 200);
      CHECK(server
                .put("/made", start + "<CreateBucketConfiguration" + xmlns +
                                  "><LocationConstraint>\n us-west-2 </LocationConstraint>"
                                  "</CreateBucketConfiguration>")
                .status == 200);
    }
}

TEST_CASE("faults E7: dates are ISO 8601 in XML and RFC 1123 in headers") {
  const TestServer server;
  const auto has_form = [](const std::string& text, std::string_view form) {
    return std::equal(text.begin(), text.end(), form.begin(), form.end(), [](char c, char wanted) {
      return wanted == '0' ? c >= '0' && c <= '9' : wanted == 'a' ? std::isalpha(c) : c == wanted;
    });
  };
  server.put("/bkt/k", "x");
  const std::string id = between(server.post("/bkt/m?uploads", "").body, "UploadId");
  server.put("/bkt/m?partNumber=1&uploadId=" + id, "x");
  const Headers copy = {{"x-amz-copy-source", "bkt/k"}};
  for (const Response& answer :
       {server.get("/bkt"), server.get("/bkt?list-type=2"), server.put("/bkt/c", "", copy),
        server.put("/bkt/m?partNumber=2&uploadId=" + id, "", copy),
        server.get("/bkt/m?uploadId=" + id)})
    CHECK(has_form(between(answer.body, "LastModified"), "0000-00-00T00:00:00.000Z"));
  CHECK(has_form(between(server.get("/bkt?versions").body, "LastModified"),
                 "0000-00-00T00:00:00.000Z"));
  CHECK(
      has_form(between(server.get("/bkt?uploads").body, "Initiated"), "0000-00-00T00:00:00.000Z"));
  CHECK(has_form(between(server.get("/").body, "CreationDate"), "0000-00-00T00:00:00.000Z"));
  for (const Response& answer : {server.get("/bkt/k"), server.head("/bkt/k")}) {
    CHECK(has_form(answer.header("last-modified"), "aaa, 00 aaa 0000 00:00:00 GMT"));
    CHECK(has_form(answer.header("date"), "aaa, 00 aaa 0000 00:00:00 GMT"));
  }
}

TEST_CASE("faults E7: the locale of the process changes neither dates nor numbers") {
  // Which locales a machine has differs; a facet is always there.
  struct Grouped : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Grouped));
  for (const char* name : {"de_DE.UTF-8", "tr_TR.UTF-8", "fr_FR.UTF-8"})
    if (std::setlocale(LC_ALL, name) != nullptr) break;
  {
    const TestServer server;
    server.put("/bkt/k", std::string(1'234'567, 'x'));
    CHECK(server.size_of("/bkt/k") == "1234567");
    CHECK(between(server.get("/bkt").body, "Size") == "1234567");
    CHECK(server.get("/bkt/k", {{"Range", "bytes=1234560-"}}).header("content-range") ==
          "bytes 1234560-1234566/1234567");
    const std::string date = server.head("/bkt/k").header("last-modified");
    CHECK(std::string("Mon Tue Wed Thu Fri Sat Sun ").find(date.substr(0, 3) + ' ') % 4 == 0);
    CHECK(std::string("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec ")
                  .find(date.substr(8, 3) + ' ') %
              4 ==
          0);
    CHECK(server.get("/bkt/k", {{"If-Modified-Since", date}}).status == 304);
  }
  std::locale::global(before);
  std::setlocale(LC_ALL, "C");
}

TEST_CASE("faults E8: the location of a bucket is empty in us-east-1, the region elsewhere") {
  for (const char* region : {"us-east-1", "eu-west-1"}) {
    server::Options options = test_options();
    options.region = region;
    const TestServer server(options);
    server.put("/made", "");
    for (const char* target : {"/made?location", "/made?location=", "/made/?location="}) {
      const Response answer = server.get(target);
      CHECK(answer.status == 200);
      pugi::xml_document xml;
      CHECK(xml.load_string(answer.body.c_str()));
      const pugi::xml_node root = xml.child("LocationConstraint");
      CHECK(std::string(root.attribute("xmlns").value()) ==
            "http://s3.amazonaws.com/doc/2006-03-01/");
      CHECK(std::string(root.text().get()) ==
            (std::string_view(region) == "us-east-1" ? "" : region));
    }
    CHECK(server.get("/none?location").code() == "NoSuchBucket");
  }
}

TEST_CASE("faults E9: making a bucket, making it again, and asking for it") {
  const TestServer server;
  CHECK(server.put("/made", "").header("location") == "/made");
  server.put("/made/k", "x");
  const std::string elsewhere =
      "<CreateBucketConfiguration xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
      "<LocationConstraint>eu-west-1</LocationConstraint></CreateBucketConfiguration>";
  for (const std::string& body : {std::string(), elsewhere})
    CHECK(server.put("/made", body).status == 200);
  CHECK(server.size_of("/made/k") == "1");
  const Response head = server.head("/made");
  CHECK(head.status == 200);
  CHECK(head.header("x-amz-bucket-region") == "us-east-1");
  CHECK(server.put("/other", elsewhere).status == 200);
  CHECK(server.put("/broken", "<CreateBucket").code() == "MalformedXML");
  for (const char* name : {"/-abc", "/a..b%00", "/sp%20ace", "/ab"})
    CHECK(server.put(name, "").code() == "InvalidBucketName");
  CHECK(server.get("/unknown").code() == "NoSuchBucket");
  CHECK(server.head("/unknown").status == 404);
  CHECK(server.remove("/made").code() == "BucketNotEmpty");
  CHECK(server.remove("/unknown").code() == "NoSuchBucket");
  CHECK(all_between(server.get("/").body, "Name") == std::vector<std::string>{"made", "other"});
}

TEST_CASE("faults E9: outside of us-east-1 a bucket is made once") {
  server::Options options = test_options();
  options.region = "eu-west-1";
  const TestServer server(options);
  const std::string here =
      "<CreateBucketConfiguration><LocationConstraint>eu-west-1</LocationConstraint>"
      "</CreateBucketConfiguration>";
  CHECK(server.put("/made", here).status == 200);
  for (const std::string& body : {here, std::string()}) {
    const Response again = server.put("/made", body);
    CHECK(again.status == 409);
    CHECK(again.code() == "BucketAlreadyOwnedByYou");
  }
  CHECK(server.head("/made").header("x-amz-bucket-region") == "eu-west-1");
}

}  // namespace mocks3::test
