#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <random>

#include "shared/util/encode.hpp"
#include "tests/protocol/framing.hpp"
#include "tests/protocol/multipart_upload.hpp"
#include "tests/protocol/parallel.hpp"

namespace mocks3::test {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kThreads = 64;
constexpr size_t kKeysPerThread = 20;

std::chrono::seconds stress_time() {
  const char* seconds = std::getenv("MOCK_S3_STRESS_SECONDS");
  return std::chrono::seconds(seconds != nullptr ? std::atoi(seconds) : 2);
}

/// What one thread found wrong; empty: nothing.
struct Findings {
  std::string first;
  uint64_t requests = 0, listings = 0;

  void expect(bool good, const std::string& what) {
    if (!good && first.empty()) first = what;
  }
};

/// One client with keys of its own below a prefix that all share, and what it knows of them.
class Client {
 public:
  Client(uint16_t port, size_t number)
      : client_(port), random_(static_cast<unsigned>(number)), number_(number) {}

  Findings run(Clock::time_point end) {
    while (Clock::now() < end && found_.first.empty()) step();
    for (size_t i = 0; i < kKeysPerThread; ++i) head(key(i));
    list("shared/");
    return found_;
  }

  const std::map<std::string, size_t>& model() const { return model_; }

 private:
  std::string key(size_t i) const {
    // Keys of all threads stand between one another.
    return "shared/" + std::to_string(100 + i) + "/" + std::to_string(100 + number_);
  }

  Response ask(const std::string& request, bool no_body = false) {
    const Response answer = client_.request(request, no_body);
    ++found_.requests;
    found_.expect(answer.complete && answer.status < 500,
                  request.substr(0, request.find('\r')) + ": " + std::to_string(answer.status));
    return answer;
  }

  void step() {
    const std::string name = key(random_() % kKeysPerThread);
    switch (random_() % 10) {
      case 0:
      case 1:
      case 2:
        return put(name);
      case 3:
        return put_multipart(name);
      case 4:
        return copy(name, key(random_() % kKeysPerThread));
      case 5:
        return remove(name);
      case 6:
        return remove_several();
      case 7:
        return head(name);
      case 8:
        return list("shared/");
      default:
        return list(name.substr(0, name.rfind('/') + 1));
    }
  }

  void put(const std::string& name) {
    const size_t size = random_() % 5000;
    const std::string body(size, 'x');
    const bool framed = size % 2 == 0;
    const Response answer =
        ask(make_request("PUT", "/bkt/" + name, framed ? streaming_headers(size) : Headers{},
                         framed ? aws_chunked(body, 1000) : body));
    found_.expect(answer.status == 200, "PUT " + name);
    model_[name] = size;
  }

  void put_multipart(const std::string& name) {
    const size_t size = random_() % 5000;
    const std::string target = "/bkt/" + name;
    const std::string id = between(ask(make_request("POST", target + "?uploads")).body, "UploadId");
    const Response part = ask(
        make_request("PUT", target + "?partNumber=1&uploadId=" + id, {}, std::string(size, 'x')));
    const Response done = ask(make_request("POST", target + "?uploadId=" + id, {},
                                           complete_xml({{1, part.header("etag")}})));
    found_.expect(done.status == 200, "complete " + name);
    model_[name] = size;
  }

  void copy(const std::string& source, const std::string& name) {
    if (source == name) return;
    const Response answer =
        ask(make_request("PUT", "/bkt/" + name, {{"x-amz-copy-source", "bkt/" + source}}));
    const auto known = model_.find(source);
    found_.expect(answer.status == (known != model_.end() ? 200 : 404), "copy of " + source);
    if (known != model_.end()) model_[name] = known->second;
  }

  void remove(const std::string& name) {
    found_.expect(ask(make_request("DELETE", "/bkt/" + name)).status == 204, "DELETE " + name);
    model_.erase(name);
  }

  void remove_several() {
    std::string xml = "<Delete>";
    for (int i = 0; i < 3; ++i) {
      const std::string name = key(random_() % kKeysPerThread);
      xml += "<Object><Key>" + name + "</Key></Object>";
      model_.erase(name);
    }
    const Response answer = ask(make_request("POST", "/bkt?delete", {}, xml + "</Delete>"));
    found_.expect(answer.status == 200, "DeleteObjects");
  }

  void head(const std::string& name) {
    const Response answer = ask(make_request("HEAD", "/bkt/" + name), true);
    const auto known = model_.find(name);
    found_.expect(answer.status == (known != model_.end() ? 200 : 404), "HEAD " + name);
    if (known != model_.end())
      found_.expect(answer.header("content-length") == std::to_string(known->second),
                    "size of " + name);
  }

  /// Lists over all pages. Nobody else writes this thread's keys, so that of those below `prefix`
  /// the listing must show what the model has, neither more nor less.
  void list(const std::string& prefix) {
    std::vector<std::string> all;
    std::map<std::string, size_t> mine;
    std::string token;
    do {
      const Response page = ask(make_request(
          "GET", "/bkt?list-type=2&max-keys=300&prefix=" + prefix +
                     (token.empty() ? "" : "&continuation-token=" + percent_encode(token))));
      found_.expect(page.status == 200, "listing of " + prefix);
      for (const std::string& entry : all_between(page.body, "Contents")) {
        all.push_back(between(entry, "Key"));
        if (all.back().ends_with("/" + std::to_string(100 + number_)))
          mine[all.back()] = std::stoul(between(entry, "Size"));
      }
      token = between(page.body, "NextContinuationToken");
      found_.expect(token.empty() == (between(page.body, "IsTruncated") == "false"), "token");
    } while (!token.empty() && found_.first.empty());
    ++found_.listings;
    found_.expect(std::adjacent_find(all.begin(), all.end(), std::greater_equal<>()) == all.end(),
                  "order of the listing of " + prefix);
    std::map<std::string, size_t> wanted;
    for (const auto& entry : model_)
      if (entry.first.starts_with(prefix)) wanted.insert(entry);
    found_.expect(mine == wanted, "keys in the listing of " + prefix);
  }

  RawClient client_;
  std::mt19937 random_;
  size_t number_;
  std::map<std::string, size_t> model_;  ///< size of each key that is there
  Findings found_;
};

}  // namespace

TEST_CASE("faults B9: sixty-four mixed writers, deleters and listers agree with their models") {
  const TestServer server;
  server.put("/bkt", "");
  const auto end = Clock::now() + stress_time();
  std::vector<std::unique_ptr<Client>> clients;
  for (size_t i = 0; i < kThreads; ++i)
    clients.push_back(std::make_unique<Client>(server.port(), i));
  std::vector<Findings> found(kThreads);
  in_parallel(kThreads, [&](size_t i) { found[i] = clients[i]->run(end); });
  uint64_t requests = 0, listings = 0;
  size_t keys = 0;
  for (size_t i = 0; i < kThreads; ++i) {
    CHECK(found[i].first == "");
    requests += found[i].requests;
    listings += found[i].listings;
    keys += clients[i]->model().size();
  }
  MESSAGE("requests: " << requests << ", complete listings: " << listings);
  CHECK(listings > kThreads);
  size_t listed = 0;
  for (size_t i = 0; i < kKeysPerThread; ++i) {
    const std::string prefix = "shared/" + std::to_string(100 + i) + "/";
    listed += all_between(server.get("/bkt?prefix=" + prefix).body, "Key").size();
  }
  CHECK(listed == keys);
}

}  // namespace mocks3::test
