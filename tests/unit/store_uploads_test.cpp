#include <doctest/doctest.h>

#include <algorithm>

#include "server/store.hpp"
#include "tests/unit/store_fixture.hpp"

using namespace mocks3;
using namespace mocks3::server;

namespace {

std::vector<CompletedPart> completed(const std::vector<PartRecord>& parts) {
  std::vector<CompletedPart> list;
  for (const PartRecord& part : parts) list.push_back({part.number, part.etag.text()});
  return list;
}

std::vector<std::string> names_of(const UploadPage& page) {
  std::vector<std::string> names;
  for (const ListedUpload& upload : page.entries) names.push_back(upload.key + ' ' + upload.id);
  return names;
}

}  // namespace

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
  auto parts = store.list_parts("b", "k", *id, 0, 1000)->parts;
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
  CHECK(store.list_parts("b", "k", *id, 0, 1000)->parts.size() == 3);
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
  const auto page = [&](uint32_t after, size_t max) {
    return *store.list_parts("b", "k", *id, after, max);
  };
  CHECK(page(0, 2).parts.size() == 2);
  CHECK(page(0, 2).truncated);
  CHECK(page(3, 2).parts.front().number == 4);
  CHECK_FALSE(page(3, 2).truncated);
  CHECK_FALSE(page(0, 0).truncated);
  CHECK(page(5, 2).parts.empty());
  CHECK(page(UINT32_MAX, 2).parts.empty());
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

TEST_CASE("store: uploads are listed by key and then by age") {
  Store store(false);
  const auto make = [&](const std::string& key) {
    return key + ' ' + *store.create_upload("b", key, nullptr, kNow);
  };
  const std::string b1 = make("b"), a1 = make("a"), b2 = make("b"), ab = make("a\x01"),
                    c = make("c/1");
  const std::vector<std::string> all = {a1, ab, b1, b2, c};
  CHECK(names_of(*store.list_uploads("b", {})) == all);
  for (size_t size = 1; size <= all.size(); ++size) {
    std::vector<std::string> seen;
    ListQuery query{.max_keys = size};
    for (bool truncated = true; truncated;) {
      const auto page = store.list_uploads("b", query);
      for (const std::string& name : names_of(*page)) seen.push_back(name);
      truncated = page->truncated;
      query.after = upload_position(page->entries.back().key, page->entries.back().id);
    }
    CHECK(seen == all);
  }
  CHECK(names_of(*store.list_uploads("b", {.after = upload_position("b", "")})) ==
        std::vector<std::string>{c});
  CHECK(names_of(*store.list_uploads("b", {.prefix = "a"})) == std::vector<std::string>{a1, ab});
  const auto groups = store.list_uploads("b", {.delimiter = "/"});
  CHECK(groups->common_prefixes == std::vector<std::string>{"c/"});
  CHECK(groups->entries.size() == 4);
  CHECK(code_of(store.list_uploads("none", {})) == S3Code::NoSuchBucket);
}

TEST_CASE("store: a page of uploads goes on behind one that has ended") {
  Store store(false);
  const auto first = *store.create_upload("b", "k", nullptr, kNow);
  const auto second = *store.create_upload("b", "k", nullptr, kNow);
  REQUIRE(store.abort_upload("b", "k", first).ok());
  CHECK(names_of(*store.list_uploads("b", {.after = upload_position("k", first)})) ==
        std::vector<std::string>{"k " + second});
}

TEST_CASE("store: an object remembers its parts until it is replaced or removed") {
  Store store(false);
  const auto complete = [&](const std::vector<uint32_t>& numbers) {
    const auto id = *store.create_upload("b", "k", nullptr, kNow);
    std::vector<PartRecord> parts;
    for (const uint32_t n : numbers) {
      parts.push_back(*store.put_part("b", "k", id, n, Store::kMinPartBytes + n, kNow));
    }
    REQUIRE(store.complete_upload("b", "k", id, completed(parts), {}, kNow).ok());
  };
  const auto ends = [&] { return store.get_with_parts("b", "k")->part_ends; };
  complete({2, 7});
  REQUIRE(ends());
  CHECK(*ends() == std::vector<uint64_t>{Store::kMinPartBytes + 2, 2 * Store::kMinPartBytes + 9});
  complete({1});
  CHECK(*ends() == std::vector<uint64_t>{Store::kMinPartBytes + 1});
  REQUIRE(store.put("b", "k", object(5), {}).ok());
  CHECK_FALSE(ends());
  complete({1});
  REQUIRE(store.remove("b", "k").ok());
  REQUIRE(store.put("b", "k", object(0), {}).ok());
  CHECK_FALSE(ends());
  CHECK(code_of(store.get_with_parts("b", "none")) == S3Code::NoSuchKey);
}
