#include "server/preload.hpp"

#include <doctest/doctest.h>

using namespace mocks3;
using namespace mocks3::server;

namespace {

const UnixMillis kNow{1'000'000};

std::vector<std::string> names_after(const std::vector<std::string>& specs) {
  Store store(false);
  const auto done = preload(store, specs, kNow);
  REQUIRE(done.ok());
  std::vector<std::string> names;
  for (const auto& bucket : store.buckets()) {
    const auto page = store.list(bucket.name, {});
    for (const auto& entry : page->entries) {
      names.push_back(bucket.name + "/" + entry.key + ":" + std::to_string(entry.object.size));
    }
  }
  return names;
}

std::string fault_of(const std::string& spec) {
  const auto parsed = parse_preload(spec);
  REQUIRE_FALSE(parsed.ok());
  CHECK(parsed.error().message.find(spec.substr(0, 20)) != std::string::npos);
  return parsed.error().message;
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("preload: the pattern of the manual") {
  const auto names = names_after({"bench/data/{00..31}:128MiB"});
  REQUIRE(names.size() == 32);
  CHECK(names.front() == "bench/data/00:134217728");
  CHECK(names.back() == "bench/data/31:134217728");
}

TEST_CASE("preload: width comes from the first number") {
  CHECK(names_after({"b-1/{8..10}:1"}) ==
        std::vector<std::string>{"b-1/10:1", "b-1/8:1", "b-1/9:1"});
  CHECK(names_after({"b-1/{08..10}:1"}) ==
        std::vector<std::string>{"b-1/08:1", "b-1/09:1", "b-1/10:1"});
  CHECK(names_after({"b-1/{7..7}:0"}) == std::vector<std::string>{"b-1/7:0"});
}

TEST_CASE("preload: several ranges, in the bucket too, and several specs") {
  CHECK(names_after({"b-{1..2}/{0..1}/x{5..6}.bin:1KiB", "other/a:b:2"}).size() == 9);
  CHECK(names_after({"other/a:b:2"}) == std::vector<std::string>{"other/a:b:2"});
}

TEST_CASE("preload: a number of objects in all") {
  Store store(true);
  const auto done = preload(store, {"bbb/{1..10}:1", "bbb/{5..14}:2"}, kNow);
  REQUIRE(done.ok());
  CHECK(*done == 20);
  CHECK(store.list("bbb", {})->entries.size() == 14);
  CHECK(store.get("bbb", "5")->size == 2);
  CHECK(store.get("bbb", "5")->modified == kNow);
}

TEST_CASE("preload: faults are named") {
  CHECK(says(fault_of("bench"), ":SIZE"));
  CHECK(says(fault_of("bench/k:12XB"), "12XB"));
  CHECK(says(fault_of("bench:1MiB"), "no key"));
  CHECK(says(fault_of("bench/:1MiB"), "no key"));
  CHECK(says(fault_of("/k:1MiB"), "no bucket name"));
  CHECK(says(fault_of("_mock/k:1MiB"), "no bucket name"));
  CHECK(says(fault_of("bench/{1..x}:1"), "no range"));
  CHECK(says(fault_of("bench/{abc}:1"), "no range"));
  CHECK(says(fault_of("bench/{}:1"), "no range"));
  CHECK(says(fault_of("bench/{1..-2}:1"), "no range"));
  CHECK(says(fault_of("bench/{1..2:1"), "partner"));
  CHECK(says(fault_of("bench/1..2}:1"), "partner"));
  CHECK(says(fault_of("bench/{3..1}:1"), "down"));
  CHECK(says(fault_of("bench/{1..9999999999999999999}:1"), "no range"));
  CHECK(says(fault_of("bench/" + std::string(1025, 'k') + ":1"), "1024"));
  CHECK(says(fault_of("bench/k:51TiB"), "50 TiB"));
  CHECK_FALSE(parse_preload(std::string(5000, 'k')).ok());
}

TEST_CASE("preload: too many objects are refused before the first is made") {
  CHECK(says(fault_of("bench/{1..100000001}:1"), "100000000"));
  CHECK(says(fault_of("bench/{0..99999}/{0..99999}:1"), "100000000"));
  CHECK(says(fault_of("bench/{0..999999999999999999}:1"), "100000000"));
  Store store(false);
  CHECK_FALSE(preload(store, {"bbb/{1..60000000}:1", "bbb/{1..60000000}:1"}, kNow).ok());
  CHECK(store.buckets().empty());
  CHECK_FALSE(preload(store, {"bbb/k:1", "bbb"}, kNow).ok());
  CHECK(store.buckets().empty());
}
