#include "server/object_index.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>

using namespace mocks3;
using namespace mocks3::server;

namespace {

using Model = std::map<std::string, uint64_t>;

ObjectRecord sized(uint64_t size) { return {size, {}, {}, nullptr}; }

Model contents(const ObjectIndex& index) {
  Model all;
  std::string last;
  for (auto it = index.begin(); it != index.end(); ++it) {
    CHECK((all.empty() || last < it->first));
    last = it->first;
    all[it->first] = it->second.size;
  }
  return all;
}

/// Looks `key` up in every way.
void compare_at(const ObjectIndex& index, const Model& model, const std::string& key) {
  const auto same = [&](ObjectIndex::const_iterator got, Model::const_iterator want) {
    return want == model.end() ? got == index.end()
                               : got != index.end() && got->first == want->first &&
                                     got->second.size == want->second;
  };
  CHECK(same(index.find(key), model.find(key)));
  CHECK(same(index.lower_bound(key), model.lower_bound(key)));
  CHECK(same(index.upper_bound(key), model.upper_bound(key)));
}

}  // namespace

TEST_CASE("object index: empty") {
  ObjectIndex index;
  CHECK(index.empty());
  CHECK(index.find("") == index.end());
  CHECK(index.lower_bound("a") == index.end());
  index.insert("", sized(1));
  CHECK_FALSE(index.empty());
  CHECK(index.find("")->second.size == 1);
  index.erase(index.find(""));
  CHECK(index.empty());
}

TEST_CASE("object index: keys in the opposite order behind a full block") {
  ObjectIndex index;
  Model model;
  const auto insert = [&](const std::string& key) {
    index.insert(key, sized(model.size()));
    model.emplace(key, model.size());
  };
  for (size_t n = 0; n < ObjectIndex::kMaxBlock; ++n) insert("a" + std::to_string(1000 + n));
  for (size_t n = 0; n < 500; ++n) insert("b" + std::to_string(1999 - n));
  CHECK(contents(index) == model);
  CHECK(index.blocks() < model.size() / 16);
}

TEST_CASE("object index: keys that come in order, in the opposite order, and in neither") {
  for (const int order : {0, 1, 2}) {
    ObjectIndex index;
    Model model;
    std::mt19937 random(3);
    for (uint64_t n = 0; n < 1000; ++n) {
      const uint64_t number = order == 0 ? n : order == 1 ? 999 - n : random() % 100'000;
      const std::string key = std::to_string(1'000'000 + number);
      if (!model.emplace(key, n).second) continue;
      index.insert(key, sized(n));
    }
    CHECK(contents(index) == model);
  }
}

TEST_CASE("object index: as a map, whatever comes and goes") {
  std::mt19937 random(11);
  const auto pick = [&] {
    std::string key(1 + random() % 3, ' ');
    for (char& c : key) c = "ab/\xff\x01z"[random() % 6];
    return key;
  };
  for (const unsigned removals : {1U, 2U, 3U}) {  // of four steps: growing, even, shrinking
    ObjectIndex index;
    Model model;
    for (uint64_t step = 0; step < 6000; ++step) {
      const std::string key = pick();
      const auto found = index.find(key);
      REQUIRE((found == index.end()) == (model.count(key) == 0));
      if (random() % 4 < removals || step > 5500) {
        if (found != index.end()) index.erase(found);
        model.erase(key);
      } else if (found != index.end()) {
        found->second.size = model[key] = step;
      } else {
        index.insert(key, sized(step));
        model[key] = step;
      }
      compare_at(index, model, pick());
    }
    CHECK(contents(index) == model);
    while (!model.empty()) {
      index.erase(index.find(model.begin()->first));
      model.erase(model.begin());
      CHECK(index.empty() == model.empty());
    }
  }
}
