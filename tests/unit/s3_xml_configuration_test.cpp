#include "shared/proto/s3_xml_configuration.hpp"

#include <doctest/doctest.h>

using namespace mocks3;

namespace {

constexpr XmlRule kRules[] = {
    {"Rule"}, {"Rule/Status", "Enabled|Disabled"}, {"Rule/Days", "", false}};
constexpr char kDeclaration[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
constexpr char kNamespace[] = " xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"";

std::string read(const std::string& xml) {
  const auto document = read_configuration(xml, "Root", kRules);
  return document ? *document : std::string(info(document.error().code).name);
}

}  // namespace

TEST_CASE("configuration: it comes back as sent, with declaration and namespace") {
  const std::string content =
      "<Rule><Status>Enabled</Status>\n <Text a=\"1\">x &amp; y</Text></Rule>";
  const std::string wanted =
      std::string(kDeclaration) + "<Root" + kNamespace + ">" + content + "</Root>";
  CHECK(read("<Root>" + content + "</Root>") == wanted);
  CHECK(read(wanted) == wanted);
  CHECK(read("<s3:Root xmlns:s3=\"urn:x\">" + content + "</s3:Root>") ==
        std::string(kDeclaration) + "<s3:Root xmlns:s3=\"urn:x\">" + content + "</s3:Root>");
  const std::string control = "<Root><Rule><Status>Enabled</Status></Rule>a&#13;&#10;b</Root>";
  CHECK(read(control).find("a&#13;\nb") != std::string::npos);
  CHECK(without_declaration(wanted) ==
        std::string("<Root") + kNamespace + ">" + content + "</Root>");
}

TEST_CASE("configuration: what breaks the schema is malformed") {
  for (const std::string xml :
       {"", "text", "<Root>", "<Other><Rule><Status>Enabled</Status></Rule></Other>", "<Root/>",
        "<Root><Rule/></Root>", "<Root><Rule><Status>enabled</Status></Rule></Root>",
        "<Root><Rule><Status/></Rule></Root>",
        "<Root><Rule><Status>Enabled</Status></Rule><Rule/></Root>",
        "<Root><Rule><Status>Enabled|Disabled</Status></Rule></Root>"}) {
    CAPTURE(xml);
    CHECK(read(xml) == "MalformedXML");
  }
  CHECK(read("<Root><Rule><Status> Disabled </Status></Rule></Root>") != "MalformedXML");
}

TEST_CASE("configuration: what is absent can be generated") {
  constexpr XmlRule kNamed[] = {{.path = "Rule/ID", .required = false, .generated = true}};
  const auto document =
      read_configuration("<R><Rule/><Rule><ID>mine</ID></Rule><Rule/></R>", "R", kNamed);
  REQUIRE(document.ok());
  const auto ids = texts_at(*document, "Rule/ID");
  REQUIRE(ids.size() == 3);
  CHECK(ids[1] == "mine");
  CHECK(ids[0].size() == 32);
  CHECK(ids[0] != ids[2]);
  CHECK(*read_configuration(*document, "R", kNamed) == *document);
}

TEST_CASE("configuration: texts at a path") {
  const std::string xml = "<R><A><B>1</B><B>2</B></A><A/><A><B> 3 </B></A><B>4</B></R>";
  CHECK(texts_at(xml, "A/B") == std::vector<std::string>{"1", "2", "3"});
  CHECK(texts_at(xml, "B") == std::vector<std::string>{"4"});
  CHECK(texts_at(xml, "A").size() == 3);
  CHECK(texts_at(xml, "C/D").empty());
}

TEST_CASE("configuration: tags") {
  const auto tags = parse_tagging(
      "<Tagging><TagSet><Tag><Key>a b</Key><Value>1&amp;2</Value></Tag>"
      "<Tag><Value/><Key>c</Key></Tag></TagSet></Tagging>");
  REQUIRE(tags.ok());
  CHECK(*tags == Tags{{"a b", "1&2"}, {"c", ""}});
  CHECK(parse_tagging("<Tagging><TagSet/></Tagging>")->empty());
  for (const char* xml :
       {"", "<Tagging/>", "<Tagging><TagSet><Tag><Key>a</Key></Tag></TagSet></Tagging>",
        "<Other><TagSet/></Other>"}) {
    CAPTURE(xml);
    CHECK(parse_tagging(xml).error().code == S3Code::MalformedXML);
  }
  CHECK(parse_create_bucket_tags("")->empty());
  CHECK(parse_create_bucket_tags("<CreateBucketConfiguration/>")->empty());
  CHECK(*parse_create_bucket_tags("<CreateBucketConfiguration><Tags><Tag><Key>a</Key>"
                                  "<Value>1</Value></Tag></Tags></CreateBucketConfiguration>") ==
        Tags{{"a", "1"}});
}

TEST_CASE("configuration: CORS rules") {
  const auto rules = parse_cors_rules(
      "<CORSConfiguration><CORSRule><AllowedOrigin>http://*.x</AllowedOrigin>"
      "<AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod>"
      "<AllowedHeader>a-*</AllowedHeader><ExposeHeader>ETag</ExposeHeader>"
      "<MaxAgeSeconds>30</MaxAgeSeconds></CORSRule><CORSRule/></CORSConfiguration>");
  REQUIRE(rules.size() == 2);
  CHECK(rules[0].origins == std::vector<std::string>{"http://*.x", "*"});
  CHECK(rules[0].methods == std::vector<std::string>{"GET"});
  CHECK(rules[0].headers == std::vector<std::string>{"a-*"});
  CHECK(rules[0].exposed == std::vector<std::string>{"ETag"});
  CHECK(rules[0].max_age_seconds == "30");
  CHECK_FALSE(rules[1].max_age_seconds);
  CHECK(parse_cors_rules("nonsense").empty());
}
