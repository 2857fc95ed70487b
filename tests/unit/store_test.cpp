#include "server/store.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <set>
#include <thread>

#include "server/store_bucket.hpp"

using namespace mocks3;
using namespace mocks3::server;

namespace {

const UnixMillis kNow{1'000'000};

ObjectRecord object(uint64_t size) { return {size, kNow, {}, nullptr}; }

template <class T>
S3Code code_of(const S3Result<T>& result) {
  REQUIRE_FALSE(result.ok());
  return result.error().code;
}

std::vector<std::string> keys_of(const ListPage& page) {
  std::vector<std::string> keys;
  for (const auto& entry : page.objects) keys.push_back(entry.key);
  return keys;
}

/// What S3 says a listing is, in the plainest way: every key is looked at.
ListPage naive_list(const std::set<std::string>& keys, const ListQuery& query) {
  ListPage page;
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
    if (page.objects.size() + page.common_prefixes.size() == query.max_keys) {
      page.truncated = query.max_keys > 0;
      break;
    }
    last_prefix = common;
    page.last_is_prefix = !common.empty();
    page.last = common.empty() ? key : common;
    if (common.empty()) {
      page.objects.push_back({key, {}});
    } else {
      page.common_prefixes.push_back(common);
    }
  }
  return page;
}

std::vector<CompletedPart> completed(const std::vector<PartRecord>& parts) {
  std::vector<CompletedPart> list;
  for (const PartRecord& part : parts) list.push_back({part.number, part.etag.text()});
  return list;
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
  CHECK(code_of(store.remove("b", "k", etag)) == S3Code::PreconditionFailed);
  CHECK(code_of(store.remove("b", "missing", etag)) == S3Code::NoSuchKey);
  CHECK(store.remove("b", "k", store.get("b", "k")->etag.text()).ok());
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
  CHECK(none->objects.empty());
  CHECK_FALSE(none->truncated);
  CHECK(none->last.empty());
  const auto groups = store.list("b", {.prefix = "", .delimiter = "\xff", .after = ""});
  CHECK(groups->common_prefixes == std::vector<std::string>{"a\xff", "\xff"});
  CHECK(keys_of(*groups) == std::vector<std::string>{"b"});
  const auto past = store.list("b", {.prefix = "a", .delimiter = "", .after = "zzz"});
  CHECK(past->objects.empty());
  const auto before = store.list("b", {.prefix = "b", .delimiter = "", .after = "a"});
  CHECK(keys_of(*before) == std::vector<std::string>{"b"});
  const auto all_ff =
      store.list("b", {.prefix = "", .delimiter = "", .after = "\xff\xff", .after_prefix = true});
  CHECK(all_ff->objects.empty());
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
      const ListPage expected = naive_list(model, query);
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

TEST_CASE("store: an object costs at most 200 bytes beyond its key") {
  CHECK(kIndexBytesPerObject <= 200);
  CHECK(kIndexBytesPerObject >= sizeof(std::string) + sizeof(ObjectRecord));
}

TEST_CASE("store: an upload from its first part to the object") {
  Store store(false);
  const auto headers = std::make_shared<const ObjectHeaders>(ObjectHeaders{{"Expires", "never"}});
  const auto id = store.create_upload("b", "k", headers, kNow);
  REQUIRE(id.ok());
  CHECK(id->find_first_not_of("0123456789abcdef") == std::string::npos);
  CHECK(store.require_upload("b", "k", *id).ok());
  CHECK(code_of(store.require_upload("b", "other", *id)) == S3Code::NoSuchUpload);
  CHECK(code_of(store.get("b", "k")) == S3Code::NoSuchKey);
  for (const uint32_t number : {3U, 1U, 10000U, 2U}) {
    REQUIRE(store.put_part("b", "k", *id, number, Store::kMinPartBytes + number, kNow).ok());
  }
  auto parts = *store.list_parts("b", "k", *id, 0, 1000);
  REQUIRE(parts.size() == 4);
  CHECK(parts[0].number == 1);
  CHECK(parts[3].number == 10000);
  const auto done = store.complete_upload("b", "k", *id, completed(parts), {}, UnixMillis{9});
  REQUIRE(done.ok());
  CHECK(done->size == 4 * Store::kMinPartBytes + 10006);
  CHECK(done->etag.text().ends_with("-4"));
  CHECK(done->headers == headers);
  CHECK(store.get("b", "k")->etag == done->etag);
  CHECK(store.get("b", "k")->modified == UnixMillis{9});
  CHECK(code_of(store.require_upload("b", "k", *id)) == S3Code::NoSuchUpload);
}

TEST_CASE("store: completing once more gives the same answer, another list does not") {
  Store store(false);
  const auto id = store.create_upload("b", "k", nullptr, kNow);
  const auto part = store.put_part("b", "k", *id, 1, 10, kNow);
  const auto list = completed({*part});
  const auto first = store.complete_upload("b", "k", *id, list, {true, std::nullopt}, kNow);
  REQUIRE(first.ok());
  const auto again = store.complete_upload("b", "k", *id, list, {true, std::nullopt}, kNow);
  REQUIRE(again.ok());
  CHECK(again->etag == first->etag);
  CHECK(code_of(store.complete_upload("b", "k", *id, {{2, "x"}}, {}, kNow)) ==
        S3Code::NoSuchUpload);
  CHECK(code_of(store.complete_upload("b", "other", *id, list, {}, kNow)) == S3Code::NoSuchUpload);
  CHECK(code_of(store.abort_upload("b", "k", *id)) == S3Code::NoSuchUpload);
}

TEST_CASE("store: completed uploads are remembered up to a bound") {
  Store store(false);
  std::vector<std::string> ids;
  std::vector<std::vector<CompletedPart>> lists;
  for (size_t n = 0; n <= Store::kRememberedUploads; ++n) {
    ids.push_back(*store.create_upload("b", "k", nullptr, kNow));
    lists.push_back(completed({*store.put_part("b", "k", ids[n], 1, 10, kNow)}));
    REQUIRE(store.complete_upload("b", "k", ids[n], lists[n], {}, kNow).ok());
  }
  CHECK(code_of(store.complete_upload("b", "k", ids[0], lists[0], {}, kNow)) ==
        S3Code::NoSuchUpload);
  CHECK(store.complete_upload("b", "k", ids[1], lists[1], {}, kNow).ok());
}

TEST_CASE("store: wrong lists leave the upload as it was") {
  Store store(false);
  const auto id = store.create_upload("b", "k", nullptr, kNow);
  std::vector<PartRecord> parts;
  for (const uint32_t number : {1U, 2U, 3U}) {
    parts.push_back(*store.put_part("b", "k", *id, number, Store::kMinPartBytes, kNow));
  }
  const auto all = completed(parts);
  const auto refused = [&](const std::vector<CompletedPart>& list) {
    return code_of(store.complete_upload("b", "k", *id, list, {}, kNow));
  };
  CHECK(refused({}) == S3Code::MalformedXML);
  CHECK(refused({all[1], all[0]}) == S3Code::InvalidPartOrder);
  CHECK(refused({all[0], all[0]}) == S3Code::InvalidPartOrder);
  CHECK(refused({all[0], {2, all[2].etag}}) == S3Code::InvalidPart);
  CHECK(refused({all[0], {4, "x"}}) == S3Code::InvalidPart);
  CHECK(code_of(store.complete_upload("b", "k", *id, all, {.if_match = "x"}, kNow)) ==
        S3Code::NoSuchKey);
  CHECK(store.list_parts("b", "k", *id, 0, 1000)->size() == 3);
  const auto done = store.complete_upload("b", "k", *id, {all[0], all[2]}, {}, kNow);
  REQUIRE(done.ok());
  CHECK(done->size == 2 * Store::kMinPartBytes);
  CHECK(done->etag.parts == 2);
}

TEST_CASE("store: only the last part may be small") {
  Store store(false);
  const auto id = store.create_upload("b", "k", nullptr, kNow);
  const auto one = *store.put_part("b", "k", *id, 1, Store::kMinPartBytes - 1, kNow);
  const auto two = *store.put_part("b", "k", *id, 2, 1, kNow);
  CHECK(code_of(store.complete_upload("b", "k", *id, completed({one, two}), {}, kNow)) ==
        S3Code::EntityTooSmall);
  const auto larger = *store.put_part("b", "k", *id, 1, Store::kMinPartBytes, kNow);
  CHECK(larger.etag != one.etag);
  CHECK(code_of(store.complete_upload("b", "k", *id, completed({one, two}), {}, kNow)) ==
        S3Code::InvalidPart);
  CHECK(store.complete_upload("b", "k", *id, completed({larger, two}), {}, kNow).ok());
}

TEST_CASE("store: conditional completion") {
  Store store(false);
  REQUIRE(store.put("b", "k", object(1), {}).ok());
  const auto id = store.create_upload("b", "k", nullptr, kNow);
  const auto list = completed({*store.put_part("b", "k", *id, 1, 10, kNow)});
  CHECK(code_of(store.complete_upload("b", "k", *id, list, {true, std::nullopt}, kNow)) ==
        S3Code::PreconditionFailed);
  CHECK(store.get("b", "k")->size == 1);
  CHECK(store.complete_upload("b", "k", *id, list, {}, kNow).ok());
}

TEST_CASE("store: parts are listed in pages") {
  Store store(false);
  const auto id = store.create_upload("b", "k", nullptr, kNow);
  for (uint32_t number = 1; number <= 5; ++number) {
    REQUIRE(store.put_part("b", "k", *id, number, 1, kNow).ok());
  }
  CHECK(store.list_parts("b", "k", *id, 0, 2)->size() == 3);
  CHECK(store.list_parts("b", "k", *id, 3, 2)->size() == 2);
  CHECK(store.list_parts("b", "k", *id, 3, 2)->front().number == 4);
  CHECK(store.list_parts("b", "k", *id, 5, 2)->empty());
  CHECK(store.list_parts("b", "k", *id, UINT32_MAX, 2)->empty());
  CHECK(code_of(store.list_parts("b", "k", "none", 0, 2)) == S3Code::NoSuchUpload);
}

TEST_CASE("store: abort, deletion of the bucket and clear end uploads") {
  Store store(false);
  const auto aborted = *store.create_upload("b", "k", nullptr, kNow);
  CHECK(store.abort_upload("b", "k", aborted).ok());
  CHECK(code_of(store.abort_upload("b", "k", aborted)) == S3Code::NoSuchUpload);
  CHECK(code_of(store.put_part("b", "k", aborted, 1, 1, kNow)) == S3Code::NoSuchUpload);
  const auto other = *store.create_upload("b", "k", nullptr, kNow);
  CHECK(store.delete_bucket("b").ok());
  store.create_bucket("b", kNow);
  CHECK(code_of(store.put_part("b", "k", other, 1, 1, kNow)) == S3Code::NoSuchUpload);
  REQUIRE(store.put("b", "k", object(1), {}).ok());
  store.clear();
  CHECK(store.buckets().empty());
  CHECK(code_of(store.get("b", "k")) == S3Code::NoSuchBucket);
}
