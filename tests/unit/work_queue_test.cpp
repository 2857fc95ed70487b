#include "client/engine/work_queue.hpp"

#include <doctest/doctest.h>

using namespace mocks3::client;
using Kind = Job::Kind;

namespace {

const WorkQueue::TimePoint kStart{};

LoadSpec spec_of(Direction op, std::vector<ObjectTask> objects, uint64_t part_size = 10) {
  LoadSpec spec;
  spec.op = op;
  spec.objects = std::move(objects);
  spec.part_size = part_size;
  return spec;
}

}  // namespace

TEST_CASE("without a limit every object comes once, in order") {
  const LoadSpec spec = spec_of(Direction::put, {{"a", 0}, {"b", 10}, {"c", 3}});
  WorkQueue queue(spec);
  queue.start(kStart);
  for (const char* key : {"a", "b", "c"}) {
    const Job job = queue.take(kStart);
    CHECK(job.kind == Kind::whole);
    CHECK(job.task->key == key);
    CHECK(job.length == job.task->size);
  }
  CHECK(queue.take(kStart).kind == Kind::finished);
}

TEST_CASE("with a limit objects come round and round until it is reached") {
  LoadSpec spec = spec_of(Direction::get, {{"a", 4}, {"b", 4}});
  SUBCASE("objects") {
    spec.max_objects = 3;
    WorkQueue queue(spec);
    queue.start(kStart);
    for (const char* key : {"a", "b", "a"}) CHECK(queue.take(kStart).task->key == key);
    CHECK(queue.take(kStart).kind == Kind::finished);
  }
  SUBCASE("bytes: an object is begun while fewer were") {
    spec.max_bytes = 9;
    WorkQueue queue(spec);
    queue.start(kStart);
    for (int i = 0; i < 3; ++i) CHECK(queue.take(kStart).kind == Kind::whole);
    CHECK(queue.take(kStart).kind == Kind::finished);
  }
  SUBCASE("time") {
    spec.duration = std::chrono::seconds(1);
    WorkQueue queue(spec);
    queue.start(kStart);
    CHECK(queue.take(kStart + std::chrono::milliseconds(999)).kind == Kind::whole);
    CHECK(queue.take(kStart + std::chrono::seconds(1)).kind == Kind::finished);
    CHECK(queue.take(kStart).kind == Kind::finished);
  }
  SUBCASE("the first of several") {
    spec.duration = std::chrono::hours(1);
    spec.max_objects = 5;
    spec.max_bytes = 4;
    WorkQueue queue(spec);
    queue.start(kStart);
    CHECK(queue.take(kStart).kind == Kind::whole);
    CHECK(queue.take(kStart).kind == Kind::finished);
  }
}

TEST_CASE("a large download is cut in ranges that anybody may take") {
  const LoadSpec spec = spec_of(Direction::get, {{"a", 25}, {"b", 1}});
  WorkQueue queue(spec);
  queue.start(kStart);
  std::vector<Job> parts;
  for (int i = 0; i < 3; ++i) parts.push_back(queue.take(kStart));
  for (uint32_t i = 0; i < 3; ++i) {
    CHECK(parts[i].kind == Kind::part);
    CHECK(parts[i].part == i);
    CHECK(parts[i].offset == 10 * i);
    CHECK(parts[i].length == (i == 2 ? 5 : 10));
    CHECK(parts[i].transfer == parts[0].transfer);
  }
  CHECK(queue.take(kStart).task->key == "b");
  CHECK(queue.part_done(*parts[0].transfer, 2, "") == NextStep::none);
  CHECK(queue.part_done(*parts[0].transfer, 0, "") == NextStep::none);
  CHECK(queue.part_done(*parts[0].transfer, 1, "") == NextStep::object_done);
  CHECK(queue.open_uploads().empty());
}

TEST_CASE("a large upload is created once, its parts shared, and completed by the last") {
  const LoadSpec spec = spec_of(Direction::put, {{"a", 20}});
  WorkQueue queue(spec);
  queue.start(kStart);
  const Job create = queue.take(kStart);
  CHECK(create.kind == Kind::create);
  CHECK(queue.take(kStart).kind == Kind::wait);
  queue.created(create.transfer, "id");
  const Job first = queue.take(kStart), second = queue.take(kStart);
  CHECK(first.kind == Kind::part);
  CHECK(second.part == 1);
  CHECK(queue.take(kStart).kind == Kind::finished);
  REQUIRE(queue.open_uploads().size() == 1);
  CHECK(queue.open_uploads()[0].upload_id == "id");
  CHECK(queue.part_done(*first.transfer, 1, "two") == NextStep::none);
  CHECK(queue.part_done(*first.transfer, 0, "one") == NextStep::complete);
  CHECK(create.transfer->etags == std::vector<std::string>{"one", "two"});
  queue.closed(create.transfer);
  CHECK(queue.open_uploads().empty());
}

TEST_CASE("a failed part ends its upload, which is aborted by the last connection on it") {
  const LoadSpec spec = spec_of(Direction::put, {{"a", 50}, {"b", 1}});
  WorkQueue queue(spec);
  queue.start(kStart);
  const Job create = queue.take(kStart);
  queue.created(create.transfer, "id");
  const Job first = queue.take(kStart), second = queue.take(kStart);
  CHECK(queue.part_done(*first.transfer, first.part, std::nullopt) == NextStep::none);
  CHECK(queue.take(kStart).task->key == "b");
  CHECK(queue.part_done(*second.transfer, second.part, "x") == NextStep::abort);
  CHECK(queue.open_uploads().size() == 1);
}

TEST_CASE("an upload that cannot be created is passed over") {
  const LoadSpec spec = spec_of(Direction::put, {{"a", 50}});
  WorkQueue queue(spec);
  queue.start(kStart);
  const Job create = queue.take(kStart);
  queue.not_created(create.transfer);
  CHECK(queue.take(kStart).kind == Kind::finished);
  CHECK(queue.open_uploads().empty());
}

TEST_CASE("time runs out in the middle of an upload: it stays open, to be aborted") {
  LoadSpec spec = spec_of(Direction::put, {{"a", 50}});
  spec.duration = std::chrono::seconds(1);
  WorkQueue queue(spec);
  queue.start(kStart);
  const Job create = queue.take(kStart);
  queue.created(create.transfer, "id");
  const Job first = queue.take(kStart);
  CHECK(queue.take(kStart + std::chrono::seconds(2)).kind == Kind::finished);
  CHECK(queue.part_done(*first.transfer, 0, "x") == NextStep::none);
  CHECK(queue.open_uploads().size() == 1);
}

TEST_CASE("stop() is final") {
  const LoadSpec spec = spec_of(Direction::put, {{"a", 1}});
  WorkQueue queue(spec);
  queue.start(kStart);
  queue.stop();
  CHECK(queue.take(kStart).kind == Kind::finished);
}

TEST_CASE("sizes at the edge of a part") {
  for (const auto& [size, parts] : {std::pair<uint64_t, uint32_t>{10, 1}, {11, 2}, {20, 2}}) {
    CAPTURE(size);
    const LoadSpec spec = spec_of(Direction::get, {{"a", size}});
    WorkQueue queue(spec);
    queue.start(kStart);
    uint64_t total = 0;
    uint32_t count = 0;
    for (Job job = queue.take(kStart); job.kind != Kind::finished; job = queue.take(kStart)) {
      total += job.length;
      ++count;
    }
    CHECK(total == size);
    CHECK(count == parts);
  }
}
