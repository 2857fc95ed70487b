#include "shared/proto/s3_xml.hpp"

#include <doctest/doctest.h>

using namespace mocks3;

namespace {

std::string escaped(std::string_view text) {
  std::string out;
  append_xml_escaped(out, text);
  return out;
}

/// <Object> elements for the given key texts, which stand as XML.
std::string delete_body(const std::vector<std::string>& keys) {
  std::string xml = "<Delete>";
  for (const std::string& key : keys) xml += "<Object><Key>" + key + "</Key></Object>";
  return xml + "</Delete>";
}

std::string code_of(const S3Error& error) { return std::string(info(error.code).name); }

/// The one key of a body, or the error's code.
std::string key_from(const std::string& key_xml) {
  const auto request = parse_delete_objects(delete_body({key_xml}));
  if (!request) return code_of(request.error());
  return request->objects.size() == 1 ? request->objects[0].key : "not one key";
}

std::string part(const std::string& number, const std::string& etag) {
  return "<Part><PartNumber>" + number + "</PartNumber><ETag>" + etag + "</ETag></Part>";
}
std::string complete_body(const std::string& parts) {
  return "<CompleteMultipartUpload>" + parts + "</CompleteMultipartUpload>";
}
std::string complete_error(const std::string& xml) {
  const auto parts = parse_complete_multipart(xml);
  return parts ? "none" : code_of(parts.error());
}

std::string repeat(const std::string& text, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i) out += text;
  return out;
}

}  // namespace

TEST_CASE("xml writer: a document") {
  XmlWriter xml("ListBucketResult");
  xml.text("Name", "b").number("MaxKeys", UINT64_MAX).boolean("IsTruncated", false);
  xml.open("Contents").text("Key", "a&b").close("Contents");
  CHECK(std::move(xml).finish() ==
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Name>b</Name>"
        "<MaxKeys>18446744073709551615</MaxKeys><IsTruncated>false</IsTruncated>"
        "<Contents><Key>a&amp;b</Key></Contents></ListBucketResult>");
  CHECK(XmlWriter("Error", false).finish() ==
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error></Error>");
}

TEST_CASE("xml writer: text is escaped, and only what must be") {
  CHECK(escaped("R&D <1>\"'.txt") == "R&amp;D &lt;1&gt;&quot;&apos;.txt");
  CHECK(escaped("a\r\n\tb") == "a&#13;\n\tb");
  CHECK(escaped("]]>") == "]]&gt;");
  CHECK(escaped("\xC3\xA9\xE6\x97\xA5\xF0\x9F\x98\x80\x7F") ==
        "\xC3\xA9\xE6\x97\xA5\xF0\x9F\x98\x80\x7F");
  CHECK(escaped("").empty());
}

TEST_CASE("xml writer: what XML 1.0 cannot hold becomes U+FFFD") {
  const std::string replaced = "\xEF\xBF\xBD";
  CHECK(escaped(std::string_view("a\0b\x01\x1F", 5)) == "a" + replaced + "b" + replaced + replaced);
  CHECK(escaped("\xFFz") == replaced + "z");
  CHECK(escaped("\xE6\x97") == replaced + replaced);
  CHECK(escaped("\xED\xA0\x80") == replaced + replaced + replaced);
  CHECK(escaped("\xEF\xBF\xBE\xEF\xBF\xBF\xEF\xBF\xBD") == replaced + replaced + replaced);
}

TEST_CASE("complete multipart: every client's spelling of an ETag") {
  const std::string xml = R"(<?xml version="1.0" encoding="UTF-8"?>
    <CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
      <Part><ETag>"a-1"</ETag><PartNumber>1</PartNumber></Part>
      <Part><ETag>&quot;b-1&quot;</ETag><PartNumber> 2 </PartNumber></Part>
      <Part><PartNumber>3</PartNumber><ETag>&#34;c-1&#34;</ETag></Part>
      <Part><ChecksumCRC32>y/Q5Jg==</ChecksumCRC32><PartNumber>4</PartNumber><ETag>d-1</ETag></Part>
      <Part><PartNumber>10000</PartNumber><ETag><![CDATA["e-1"]]></ETag></Part>
    </CompleteMultipartUpload>)";
  const auto parts = parse_complete_multipart(xml);
  REQUIRE(parts);
  REQUIRE(parts->size() == 5);
  const std::vector<std::string> etags = {"a-1", "b-1", "c-1", "d-1", "e-1"};
  for (size_t i = 0; i < etags.size(); ++i) CHECK((*parts)[i].etag == etags[i]);
  CHECK((*parts)[1].number == 2);
  CHECK((*parts)[4].number == 10000);
}

TEST_CASE("complete multipart: parts keep the order sent, also twice the same") {
  const auto parts =
      parse_complete_multipart(complete_body(part("2", "x") + part("1", "y") + part("1", "y")));
  REQUIRE(parts);
  REQUIRE(parts->size() == 3);
  CHECK((*parts)[0].number == 2);
  CHECK((*parts)[1].number == 1);
}

TEST_CASE("complete multipart: a prefixed namespace") {
  const auto parts = parse_complete_multipart(
      "<s:CompleteMultipartUpload xmlns:s=\"http://s3.amazonaws.com/doc/2006-03-01/\"><s:Part>"
      "<s:PartNumber>7</s:PartNumber><s:ETag>x</s:ETag></s:Part></s:CompleteMultipartUpload>");
  REQUIRE(parts);
  CHECK(parts->at(0).number == 7);
}

TEST_CASE("complete multipart: numbers outside of 1 to 10000") {
  for (const std::string number : {"0", "10001", "-1", "-0", "00000", "99999999999999999999999"}) {
    CAPTURE(number);
    CHECK(complete_error(complete_body(part(number, "x"))) == "InvalidArgument");
  }
  CHECK(parse_complete_multipart(complete_body(part("0010000", "x")))->at(0).number == 10000);
  for (const std::string number : {"", "x", "1x", "1 2", "1.0", "+1", "--1", "<a>1</a>"}) {
    CAPTURE(number);
    CHECK(complete_error(complete_body(part(number, "x"))) == "MalformedXML");
  }
}

TEST_CASE("complete multipart: what is no such document") {
  for (const std::string& xml :
       {std::string(), std::string(" "), complete_body(""), std::string("<Delete/>"),
        std::string("not xml"), complete_body("<Part><PartNumber>1</PartNumber></Part>"),
        complete_body("<Part><ETag>x</ETag></Part>"), complete_body("<Part/>"),
        complete_body(part("1", "x")) + "<!---->" + complete_body(part("2", "x")),
        complete_body(part("1", "x")).substr(0, 60), complete_body("<Part>"),
        "text" + complete_body(part("1", "x")), complete_body(part("1", "x")) + "text"}) {
    CAPTURE(xml);
    CHECK(complete_error(xml) == "MalformedXML");
  }
  CHECK(complete_error(complete_body(part("1", ""))) == "none");
}

TEST_CASE("complete multipart: 10,000 parts at most, each with all checksums there are") {
  const std::string full =
      "<Part><PartNumber>10000</PartNumber><ETag>&quot;00000000000000000000000000000000-1&quot;"
      "</ETag><ChecksumCRC32>AAAAAA==</ChecksumCRC32><ChecksumCRC32C>AAAAAA==</ChecksumCRC32C>"
      "<ChecksumCRC64NVME>AAAAAAAAAAA=</ChecksumCRC64NVME><ChecksumSHA1>x</ChecksumSHA1>"
      "<ChecksumSHA256>x</ChecksumSHA256></Part>";
  const auto parts = parse_complete_multipart(complete_body(repeat(full, 10'000)));
  REQUIRE(parts);
  CHECK(parts->size() == 10'000);
  CHECK(complete_error(complete_body(repeat(full, 10'001))) == "MalformedXML");
}

TEST_CASE("delete objects: keys are taken exactly") {
  CHECK(key_from("a b") == "a b");
  CHECK(key_from(" leading and trailing ") == " leading and trailing ");
  CHECK(key_from("   ") == "   ");
  CHECK(key_from("line\nbreak") == "line\nbreak");
  CHECK(key_from("&lt;&gt;&amp;&quot;&apos;") == "<>&\"'");
  CHECK(key_from("&#38;&#x41;&#x6a;&#x6A;") == "&Ajj");
  CHECK(key_from("a&#13;&#10;b&#9;c") == "a\r\nb\tc");
  CHECK(key_from("&#13;") == "\r");
  CHECK(key_from("&#10;x&#13;&#10;") == "\nx\r\n");
  CHECK(key_from("&amp;amp;") == "&amp;");
  CHECK(key_from("<![CDATA[<&amp;>]]>") == "<&amp;>");
  CHECK(key_from("a<![CDATA[ b ]]>c<!-- & no -->d") == "a b cd");
  CHECK(key_from("a&#x65E5;\xE6\x9C\xAC\xF0\x9F\x98\x80") ==
        "a\xE6\x97\xA5\xE6\x9C\xAC\xF0\x9F\x98\x80");
  CHECK(key_from("a+b%20c/../d") == "a+b%20c/../d");
}

TEST_CASE("delete objects: a text that names no key exactly is refused, not guessed at") {
  for (const std::string key : {"",         "&",    "a & b",    "&unknown;",    "&#0;",
                                "&#x0;",    "&#1;", "&#xD800;", "&#xFFFF;",     "&#x110000;",
                                "&#;",      "&#x;", "&#xg;",    "&#12a;",       "&#99999999999;",
                                "&amp",     "&;",   "<b>x</b>", "a<b/>c",       "\x01",
                                "\x7F\x1F", "\xFF", "\xC0\xAF", "\xEF\xBF\xBF", "<![CDATA[x"}) {
    CAPTURE(key);
    CHECK(key_from(key) == "MalformedXML");
  }
  CHECK(key_from(std::string("a\0b", 3)) == "MalformedXML");
}

TEST_CASE("delete objects: order, repetition, versions and the quiet mode") {
  const auto request = parse_delete_objects(
      "\xEF\xBB\xBF<?xml version='1.0'?>\n<!-- c --><Delete xmlns=\"http://x/\"><Quiet>true</Quiet>"
      "<Object><Key>b</Key></Object><Object><VersionId>null</VersionId><Key>a</Key></Object>"
      "<Object><Key>b</Key><ETag>&quot;e&quot;</ETag><Size>1</Size>"
      "<LastModifiedTime>Fri, 02 Jan 2026 03:04:05 GMT</LastModifiedTime></Object></Delete>\n");
  REQUIRE(request);
  CHECK(request->quiet);
  REQUIRE(request->objects.size() == 3);
  CHECK(request->objects[0].key == "b");
  CHECK(request->objects[0].etag.empty());
  CHECK_FALSE(request->objects[0].size);
  CHECK(request->objects[1].key == "a");
  CHECK(request->objects[1].version_id == "null");
  CHECK(request->objects[2].key == "b");
  CHECK(request->objects[2].etag == "\"e\"");
  CHECK(request->objects[2].size == 1);
  CHECK(request->objects[2].modified == UnixMillis{1'767'323'045'000});
  for (const std::string bad : {"<Size>x</Size>", "<LastModifiedTime>now</LastModifiedTime>"}) {
    CHECK_FALSE(parse_delete_objects("<Delete><Object><Key>k</Key>" + bad + "</Object></Delete>"));
  }
  const auto quiet = [](const std::string& text) {
    return parse_delete_objects("<Delete><Object><Key>k</Key></Object><Quiet>" + text +
                                "</Quiet></Delete>");
  };
  CHECK_FALSE(parse_delete_objects(delete_body({"k"}))->quiet);
  CHECK_FALSE(quiet("false")->quiet);
  CHECK(quiet(" True ")->quiet);
  CHECK(quiet("1")->quiet);
  CHECK_FALSE(quiet("maybe"));
  CHECK_FALSE(quiet(""));
}

TEST_CASE("delete objects: 1 to 1000 keys") {
  CHECK(parse_delete_objects(delete_body(std::vector<std::string>(1000, "k")))->objects.size() ==
        1000);
  CHECK_FALSE(parse_delete_objects(delete_body(std::vector<std::string>(1001, "k"))));
  CHECK_FALSE(parse_delete_objects("<Delete></Delete>"));
  CHECK_FALSE(parse_delete_objects("<Delete><Object></Object></Delete>"));
  CHECK_FALSE(parse_delete_objects(""));
}

TEST_CASE("xml in: no document type, so no entities") {
  const std::string body = "<Delete><Object><Key>&x;</Key></Object></Delete>";
  for (const std::string type :
       {"<!DOCTYPE Delete [<!ENTITY x \"y\">]>", "<!DOCTYPE Delete SYSTEM \"file:///etc/passwd\">",
        "<?xml version=\"1.0\"?><!DOCTYPE Delete [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>"}) {
    CAPTURE(type);
    CHECK_FALSE(parse_delete_objects(type + body));
    CHECK_FALSE(parse_delete_objects(type + delete_body({"k"})));
  }
}

TEST_CASE("xml in: attributes hide no markup") {
  const auto with_attribute = [](const std::string& attribute) {
    return parse_delete_objects("<Delete " + attribute + "><Object><Key>a</Key></Object></Delete>");
  };
  CHECK(with_attribute("a='x > \"y\" &amp;' b=\"'-->\""));
  CHECK_FALSE(with_attribute("a='x < y'"));
  CHECK_FALSE(with_attribute("a='&unknown;'"));
  CHECK_FALSE(with_attribute("a='open"));
  CHECK_FALSE(parse_delete_objects(
      "<Delete a=\"<!-- b\"><Object><Key>a&#26;<!-- c --></Key></Object></Delete>"));
  CHECK_FALSE(parse_delete_objects("<Delete><Object><Key>a</Key></Object></Delete><"));
  CHECK_FALSE(parse_delete_objects("<Delete><Object><Key>a</Key></Object></Delete><!x>"));
}

TEST_CASE("xml in: nesting and size cost no stack and bounded memory") {
  const std::string deep = repeat("<a>", 100'000) + "x" + repeat("</a>", 100'000);
  CHECK(key_from(deep) == "MalformedXML");
  const auto beside =
      parse_delete_objects("<Delete>" + deep + "<Object><Key>k</Key></Object></Delete>");
  REQUIRE(beside);
  CHECK(beside->objects.size() == 1);
  CHECK_FALSE(parse_delete_objects(repeat("<a>", 2'000'000)));
  CHECK_FALSE(parse_delete_objects("<Delete>" + repeat("<a/>", 400'001) +
                                   "<Object><Key>k</Key></Object></Delete>"));
  const std::string key(7'000'000, 'k');
  CHECK(key_from(key) == key);
}

TEST_CASE("create bucket: the region, where one is given") {
  const auto region = [](const std::string& xml) {
    const auto result = parse_create_bucket(xml);
    return result ? *result : code_of(result.error());
  };
  CHECK(region("").empty());
  CHECK(region("\r\n ").empty());
  CHECK(region(
            "<CreateBucketConfiguration xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
            "<LocationConstraint>\n eu-west-1 </LocationConstraint></CreateBucketConfiguration>") ==
        "eu-west-1");
  CHECK(region("<CreateBucketConfiguration/>").empty());
  CHECK(region("<CreateBucketConfiguration><LocationConstraint/></CreateBucketConfiguration>")
            .empty());
  CHECK(region("<Other><LocationConstraint>x</LocationConstraint></Other>") == "MalformedXML");
  CHECK(region("<CreateBucketConfiguration>") == "MalformedXML");
  CHECK(region("eu-west-1") == "MalformedXML");
}
