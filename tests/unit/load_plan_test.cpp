#include "client/load_plan.hpp"

#include <doctest/doctest.h>

using namespace mocks3::client;

namespace {

Options options_for(Command command) {
  Options options;
  options.command = command;
  options.size_bytes = 5 << 20;
  return options;
}

}  // namespace

TEST_CASE("without a limit a run takes 10 s, a quick one 2 s") {
  Options options = options_for(Command::put);
  CHECK(make_load_plan(options, "p", true).spec.duration == std::chrono::seconds(10));
  options.quick = true;
  CHECK(make_load_plan(options, "p", true).spec.duration == std::chrono::seconds(2));
  options.max_objects = 5;
  const LoadPlan plan = make_load_plan(options, "p", true);
  CHECK_FALSE(plan.spec.duration);
  CHECK(plan.limits() == "5 objects");
  options.max_bytes = 1 << 30;
  options.duration = std::chrono::seconds(3);
  CHECK(make_load_plan(options, "p", true).limits() == "3.00 s or 5 objects or 1 GiB");
}

TEST_CASE("objects are a modest number of keys below the prefix") {
  Options options = options_for(Command::put);
  const auto keys = [&](bool own) { return make_load_plan(options, "p", own).spec.objects.size(); };
  CHECK(keys(true) == 32);
  options.threads = 4;
  options.concurrency = 10;
  CHECK(keys(true) == 80);
  CHECK(keys(false) == 40);  // to be uploaded before the download
  options.max_objects = 3;
  CHECK(keys(true) == 3);
  CHECK(keys(false) == 3);
  const LoadPlan plan = make_load_plan(options, "p", true);
  CHECK(plan.spec.objects[2].key == "p/00002");
  CHECK(plan.spec.objects[2].size == 5 << 20);
  CHECK(plan.keys().size() == 3);
}

TEST_CASE("the preload names the same objects") {
  Options options = options_for(Command::get);
  options.bucket = "bkt";
  CHECK(make_load_plan(options, "p", true).preload() == "bkt/p/{00000..00031}:5MiB");
  options.max_objects = 1;
  options.size_bytes = 7;
  CHECK(make_load_plan(options, "p", true).preload() == "bkt/p/{00000..00000}:7");
}

TEST_CASE("the ceiling has a stream for each connection, 64 at most") {
  Options options = options_for(Command::get);
  options.threads = 2;
  options.concurrency = 3;
  CHECK(make_load_plan(options, "p", true).streams() == 6);
  options.concurrency = 100;
  CHECK(make_load_plan(options, "p", true).streams() == 64);
}

TEST_CASE("the warm-up is short and no longer than the run") {
  Options options = options_for(Command::get);
  options.max_objects = 9;
  const LoadPlan plan = make_load_plan(options, "p", true);
  CHECK(plan.warm_up_spec().duration == std::chrono::milliseconds(500));
  CHECK(plan.warm_up_spec().max_objects == 9);
  options.duration = std::chrono::milliseconds(100);
  CHECK(make_load_plan(options, "p", true).warm_up_spec().duration ==
        std::chrono::milliseconds(100));
}
