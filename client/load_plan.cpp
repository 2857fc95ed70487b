#include "client/load_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "shared/util/units.hpp"

namespace mocks3::client {
namespace {

using std::chrono::milliseconds;
constexpr size_t kLeastKeys = 32;
constexpr size_t kMostStreams = 64;
constexpr size_t kKeyDigits = 5;  ///< 2 keys for each of 20,000 connections

uint64_t key_count(const Options& options, bool own_objects) {
  const uint64_t connections = options.threads * options.concurrency;
  const uint64_t wanted =
      own_objects ? std::max<uint64_t>(kLeastKeys, 2 * connections) : connections;
  return std::min(wanted, options.max_objects.value_or(UINT64_MAX));
}

void add_objects(const Options& options, bool own_objects, LoadPlan& plan) {
  const uint64_t count = key_count(options, own_objects);
  for (uint64_t i = 0; i < count; ++i)
    plan.spec.objects.push_back(
        {fmt::format("{}/{:0{}}", plan.prefix, i, kKeyDigits), options.size_bytes});
}

}  // namespace

size_t LoadPlan::streams() const { return std::min(connections(), kMostStreams); }

std::string LoadPlan::limits() const {
  std::vector<std::string> parts;
  if (spec.duration) parts.push_back(format_duration(*spec.duration));
  if (spec.max_objects) parts.push_back(fmt::format("{} objects", *spec.max_objects));
  if (spec.max_bytes) parts.push_back(format_size(*spec.max_bytes));
  return fmt::format("{}", fmt::join(parts, " or "));
}

std::string LoadPlan::label() const {
  return fmt::format("{} {} threads={} concurrency={}", op_name(),
                     format_size_exact(spec.objects.front().size), spec.threads, spec.concurrency);
}

LoadSpec LoadPlan::warm_up_spec() const {
  LoadSpec warm = spec;
  warm.duration = std::min<std::chrono::nanoseconds>(
      warm_up, spec.duration.value_or(std::chrono::nanoseconds::max()));
  return warm;
}

std::string LoadPlan::preload() const {
  return fmt::format("{}/{}/{{{:0{}}..{:0{}}}}:{}", spec.bucket, prefix, 0, kKeyDigits,
                     spec.objects.size() - 1, kKeyDigits,
                     format_size_exact(spec.objects.front().size));
}

std::vector<std::string> LoadPlan::keys() const {
  std::vector<std::string> keys;
  for (const ObjectTask& object : spec.objects) keys.push_back(object.key);
  return keys;
}

LoadPlan make_load_plan(const Options& options, const std::string& prefix, bool own_objects) {
  LoadPlan plan;
  plan.prefix = prefix;
  plan.spec.op = options.command == Command::put ? Direction::put : Direction::get;
  plan.spec.bucket = options.bucket;
  plan.spec.threads = options.threads;
  plan.spec.concurrency = options.concurrency;
  plan.spec.part_size = options.part_size_bytes;
  plan.spec.duration = options.duration;
  plan.spec.max_objects = options.max_objects;
  plan.spec.max_bytes = options.max_bytes;
  if (!options.duration && !options.max_objects && !options.max_bytes)
    plan.spec.duration = std::chrono::seconds(options.quick ? 2 : 10);
  plan.repeats = std::max<size_t>(1, options.repeat);
  plan.warm_up = milliseconds(options.quick ? 200 : 500);
  plan.ceiling_time = milliseconds(options.quick ? 500 : 2000);
  add_objects(options, own_objects, plan);
  return plan;
}

}  // namespace mocks3::client
