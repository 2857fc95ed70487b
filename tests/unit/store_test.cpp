#include "server/store.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <set>
#include <thread>

#include "tests/unit/store_fixture.hpp"

using namespace mocks3;
using namespace mocks3::server;

namespace {

std::vector<std::string> keys_of(const ObjectPage& page) {
  std::vector<std::string> keys;
  for (const auto& entry : page.entries) keys.push_back(entry.key);
  return keys;
}

/// What S3 says a listing is, in the plainest way: every key is looked at.
ObjectPage naive_list(const std::set<std::string>& keys, const ListQuery& query) {
  ObjectPage page;
  std::string last_prefix;
  for (const std::string& key : keys) {
    if (!key.starts_with(query.prefix) || !(key > query.after)) continue;
    if (query.after_prefix && key.starts_with(query.after)) continue;
    std::string common;
    if (!query.delimiter.empty()) {
      const size_t at = key.find(query.delimiter, query.prefix.size());
      if (at != std::string::npos) common = key.substr(0, at + query.delimiter.size());
    }
    if (!common.empty() && common == last_prefix) continue;
    if (page.entries.size() + page.common_prefixes.size() == query.max_keys) {
      page.truncated = query.max_keys > 0;
      break;
    }
    last_prefix = common;
    page.last_is_prefix = !common.empty();
    page.last = common.empty() ? key : common;
    if (common.empty()) {
      page.entries.push_back({key, {}});
    } else {
      page.common_prefixes.push_back(common);
    }
  }
  return page;
}

}  // namespace

TEST_CASE("store: ETag texts") {
  CHECK(ETag{1, 0xabc, 1}.text() == "00000000000000010000000000000abc-1");
  CHECK(ETag{1, 0xabc, 10000}.quoted() == "\"00000000000000010000000000000abc-10000\"");
  CHECK(ETag{1, 0xabc, 0}.text() == "00000000000000010000000000000abc");
}

TEST_CASE("store: buckets come, are listed in order, and go") {
  Store store(false);
  CHECK(store.create_bucket("b2", kNow));
  CHECK(store.create_bucket("b1", UnixMillis{5}));
  CHECK_FALSE(store.create_bucket("b1", kNow));
  REQUIRE(store.buckets().size() == 2);
  CHECK(store.buckets()[0].name == "b1");
  CHECK(store.buckets()[0].created == UnixMillis{5});
  CHECK(store.delete_bucket("b1").ok());
  CHECK_FALSE(store.has_bucket("b1"));
  CHECK(code_of(store.delete_bucket("b1")) == S3Code::NoSuchBucket);
  REQUIRE(store.put("b2", "k", object(1), {}).ok());
  CHECK(code_of(store.delete_bucket("b2")) == S3Code::BucketNotEmpty);
  CHECK(store.remove("b2", "k").ok());
  CHECK(store.delete_bucket("b2").ok());
}

TEST_CASE("store: a write makes the bucket unless buckets are strict") {
  Store lax(false), strict(true);
  CHECK(lax.put("b", "k", object(1), {}).ok());
  CHECK(lax.has_bucket("b"));
  CHECK(lax.create_upload("c", "k", nullptr, kNow).ok());
  CHECK(lax.has_bucket("c"));
  CHECK(code_of(strict.put("b", "k", object(1), {})) == S3Code::NoSuchBucket);
  CHECK(code_of(strict.create_upload("b", "k", nullptr, kNow)) == S3Code::NoSuchBucket);
  CHECK(code_of(strict.check_write("b", "k", {})) == S3Code::NoSuchBucket);
  CHECK_FALSE(strict.has_bucket("b"));
}

TEST_CASE("store: what a check says beforehand changes nothing") {
  Store store(false);
  CHECK(store.check_write("b", "k", {}).ok());
  CHECK(code_of(store.check_write("b", "k", {.if_match = "x"})) == S3Code::NoSuchKey);
  CHECK_FALSE(store.has_bucket("b"));
}

TEST_CASE("store: reads, lists and deletes of a missing bucket") {
  Store store(false);
  CHECK(code_of(store.get("b", "k")) == S3Code::NoSuchBucket);
  CHECK(code_of(store.list("b", {})) == S3Code::NoSuchBucket);
  CHECK(code_of(store.remove("b", "k")) == S3Code::NoSuchBucket);
  CHECK(code_of(store.require_upload("b", "k", "u")) == S3Code::NoSuchBucket);
  CHECK(code_of(store.abort_upload("b", "k", "u")) == S3Code::NoSuchBucket);
  CHECK(store.buckets().empty());
}

TEST_CASE("store: an overwrite has another ETag, an empty object that of its MD5") {
  Store store(false);
  const auto first = store.put("b", "k", object(7), {});
  const auto second = store.put("b", "k", object(9), {});
  REQUIRE(first.ok());
  REQUIRE(second.ok());
  CHECK(first->etag != second->etag);
  CHECK(first->etag.parts == 1);
  CHECK(store.get("b", "k")->etag == second->etag);
  CHECK(store.get("b", "k")->size == 9);
  CHECK(store.put("b", "e", object(0), {})->etag.text() == "d41d8cd98f00b204e9800998ecf8427e");
  CHECK(code_of(store.get("b", "other")) == S3Code::NoSuchKey);
}

TEST_CASE("store: conditions of a write") {
  Store store(false);
  const WriteCondition absent{.if_none_match_any = true};
  CHECK(code_of(store.put("b", "k", object(1), {.if_match = "\"x\""})) == S3Code::NoSuchKey);
  CHECK(store.put("b", "k", object(1), absent).ok());
  CHECK(code_of(store.put("b", "k", object(2), absent)) == S3Code::PreconditionFailed);
  CHECK(code_of(store.check_write("b", "k", absent)) == S3Code::PreconditionFailed);
  CHECK(code_of(store.put("b", "k", object(2), {.if_match = "x"})) == S3Code::PreconditionFailed);
  CHECK(store.get("b", "k")->size == 1);
  const std::string etag = store.get("b", "k")->etag.quoted();
  CHECK(store.put("b", "k", object(2), {.if_match = etag}).ok());
  CHECK(code_of(store.remove("b", "k", {.if_match = etag})) == S3Code::PreconditionFailed);
  CHECK(code_of(store.remove("b", "missing", {.if_match = etag})) == S3Code::NoSuchKey);
  CHECK(store.remove("b", "k", {.if_match = store.get("b", "k")->etag.text()}).ok());
  CHECK(store.remove("b", "k").ok());
}

TEST_CASE("store: of many conditional creators exactly one wins") {
  Store store(false);
  std::atomic<int> won{0}, lost{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 50; ++n) {
        const auto put = store.put("b", "k" + std::to_string(n), object(1), {true, std::nullopt});
        ++(put.ok() ? won : lost);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(won == 50);
  CHECK(lost == 350);
}

TEST_CASE("store: buckets that come and go under writers lose no acknowledged object") {
  Store store(false);
  std::atomic<bool> stop{false};
  std::thread sweeper([&] {
    while (!stop) {
      (void)store.delete_bucket("b");
      (void)store.list("b", {});
      (void)store.buckets();
    }
  });
  int lost = 0;
  for (int n = 0; n < 2000; ++n) {
    REQUIRE(store.put("b", "k", object(1), {}).ok());
    if (!store.get("b", "k").ok()) ++lost;
    REQUIRE(store.remove("b", "k").ok());
  }
  stop = true;
  sweeper.join();
  CHECK(lost == 0);
}

TEST_CASE("store: keys are in the order of unsigned bytes") {
  Store store(false);
  for (const char* key : {"\xff", "a", "\x7f", "\xe6\x97\xa5", "A", " "}) {
    REQUIRE(store.put("b", key, object(1), {}).ok());
  }
  CHECK(keys_of(*store.list("b", {})) ==
        std::vector<std::string>{" ", "A", "a", "\x7f", "\xe6\x97\xa5", "\xff"});
}

TEST_CASE("store: pages of one with a delimiter") {
  Store store(false);
  for (const char* key : {"d/1", "d/2", "d/5", "e", "f/1"}) {
    REQUIRE(store.put("b", key, object(1), {}).ok());
  }
  ListQuery query{.prefix = "", .delimiter = "/", .after = "", .max_keys = 1};
  std::vector<std::string> seen;
  bool truncated = true;
  while (truncated) {
    const auto page = store.list("b", query);
    REQUIRE(page.ok());
    truncated = page->truncated;
    seen.push_back(page->last);
    query.after = page->last;
    query.after_prefix = page->last_is_prefix;
  }
  CHECK(seen == std::vector<std::string>{"d/", "e", "f/"});
}

TEST_CASE("store: corner cases of a listing") {
  Store store(false);
  for (const char* key : {"a\xff\xff/x", "a\xff\xff/y", "b", "\xff\xff", "\xff\xff/1"}) {
    REQUIRE(store.put("b", key, object(1), {}).ok());
  }
  const auto none = store.list("b", {.prefix = "", .delimiter = "", .after = "", .max_keys = 0});
  CHECK(none->entries.empty());
  CHECK_FALSE(none->truncated);
  CHECK(none->last.empty());
  const auto groups = store.list("b", {.prefix = "", .delimiter = "\xff", .after = ""});
  CHECK(groups->common_prefixes == std::vector<std::string>{"a\xff", "\xff"});
  CHECK(keys_of(*groups) == std::vector<std::string>{"b"});
  const auto past = store.list("b", {.prefix = "a", .delimiter = "", .after = "zzz"});
  CHECK(past->entries.empty());
  const auto before = store.list("b", {.prefix = "b", .delimiter = "", .after = "a"});
  CHECK(keys_of(*before) == std::vector<std::string>{"b"});
  const auto all_ff =
      store.list("b", {.prefix = "", .delimiter = "", .after = "\xff\xff", .after_prefix = true});
  CHECK(all_ff->entries.empty());
}

TEST_CASE("store: random keys and queries against the plain model") {
  std::mt19937 random(7);
  const auto pick = [&](const std::string& alphabet, size_t longest) {
    std::string text(random() % (longest + 1), ' ');
    for (char& c : text) c = alphabet[random() % alphabet.size()];
    return text;
  };
  const std::string alphabet = "ab/\xff";
  for (int round = 0; round < 30; ++round) {
    Store store(false);
    store.create_bucket("b", kNow);
    std::set<std::string> model;
    for (int step = 0; step < 150; ++step) {
      const std::string key = 'k' + pick(alphabet, 6);
      if (random() % 4 == 0) {
        REQUIRE(store.remove("b", key).ok());
        model.erase(key);
      } else {
        REQUIRE(store.put("b", key, object(random() % 100), {}).ok());
        model.insert(key);
      }
      ListQuery query{.prefix = random() % 2 ? 'k' + pick(alphabet, 3) : "",
                      .delimiter = pick("/a", 2),
                      .after = random() % 2 ? 'k' + pick(alphabet, 4) : "",
                      .after_prefix = random() % 3 == 0,
                      .max_keys = random() % 6};
      if (query.after.empty()) query.after_prefix = false;
      const ObjectPage expected = naive_list(model, query);
      const auto page = store.list("b", query);
      REQUIRE(page.ok());
      CAPTURE(query.prefix);
      CAPTURE(query.delimiter);
      CAPTURE(query.after);
      CHECK(keys_of(*page) == keys_of(expected));
      CHECK(page->common_prefixes == expected.common_prefixes);
      CHECK(page->truncated == expected.truncated);
      CHECK(page->last == expected.last);
      CHECK(page->last_is_prefix == expected.last_is_prefix);
    }
  }
}

TEST_CASE("store: conditions of a delete") {
  Store store(false);
  REQUIRE(store.put("b", "k", object(7), {}).ok());
  const auto refused = [&](const DeleteCondition& condition) {
    return code_of(store.remove("b", "k", condition)) == S3Code::PreconditionFailed;
  };
  const UnixMillis same_second{kNow.value + 999}, next_second{kNow.value + 1000};
  CHECK(refused({.size = 8}));
  CHECK(refused({.modified = next_second}));
  CHECK(refused({.if_match = "*", .modified = kNow, .size = 6}));
  CHECK(store.remove("b", "k", {.if_match = "*", .modified = same_second, .size = 7}).ok());
  CHECK(store.remove("b", "k", {.modified = kNow, .size = 1}).ok());
  CHECK(code_of(store.remove("b", "k", {.if_match = "*"})) == S3Code::NoSuchKey);
}
