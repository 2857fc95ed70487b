#include "client/stats/verdict.hpp"

#include <doctest/doctest.h>

using namespace mocks3::client;

namespace {

/// A client of one thread on a machine of 8 cores where nobody is busy.
VerdictFacts idle() {
  VerdictFacts facts;
  facts.ceiling_ratio = 0.2;
  facts.spread = 0.05;
  facts.client_cores = 0.3;
  facts.client_core_limit = 1;
  facts.host_cores = 8;
  facts.host_busy = 0.1;
  facts.server_worker = 0.2;
  return facts;
}

}  // namespace

TEST_CASE("path: at least 0.9 of the ceiling, whoever is busy") {
  VerdictFacts facts = idle();
  facts.ceiling_ratio = 0.9;
  facts.server_worker = 1.0;
  CHECK(judge(facts) == Verdict::path);
  facts.ceiling_ratio = 0.899;
  CHECK(judge(facts) != Verdict::path);
}

TEST_CASE("an unknown ceiling is never filled") {
  VerdictFacts facts = idle();
  facts.ceiling_ratio = 0;
  CHECK(judge(facts) == Verdict::latency_concurrency);
}

TEST_CASE("noisy goes before everything") {
  VerdictFacts facts = idle();
  facts.ceiling_ratio = 0.95;
  facts.spread = 0.31;
  CHECK(judge(facts) == Verdict::noisy);
  facts.spread = 0.30;
  CHECK(judge(facts) == Verdict::path);
}

TEST_CASE("client CPU: one thread that is busy on a machine that is idle") {
  VerdictFacts facts = idle();
  facts.client_cores = 0.95;
  CHECK(judge(facts) == Verdict::client_cpu);
}

TEST_CASE("client CPU: a client cannot use more cores than there are") {
  VerdictFacts facts = idle();
  facts.host_cores = 2;
  facts.client_core_limit = 8;
  facts.client_cores = 1.85;
  CHECK(judge(facts) == Verdict::client_cpu);
  facts.client_cores = 1.5;
  CHECK(judge(facts) == Verdict::latency_concurrency);
}

TEST_CASE("server CPU: a worker is busy while the client is not") {
  VerdictFacts facts = idle();
  facts.server_worker = 0.95;
  CHECK(judge(facts) == Verdict::server_cpu);
  facts.server_worker = 0.94;
  CHECK(judge(facts) == Verdict::latency_concurrency);
}

TEST_CASE("with both busy it is not the server that held the client back") {
  VerdictFacts facts = idle();
  facts.server_worker = 1.0;
  facts.client_cores = 1.0;
  CHECK(judge(facts) == Verdict::client_cpu);
}

TEST_CASE("host CPU: client and server share all cores") {
  VerdictFacts facts = idle();
  facts.host_cores = 2;
  facts.client_core_limit = 2;
  facts.client_cores = 1.3;
  facts.server_worker = 0.6;
  facts.host_busy = 0.96;
  CHECK(judge(facts) == Verdict::host_cpu);
  facts.host_busy = std::nullopt;
  CHECK(judge(facts) == Verdict::latency_concurrency);
}

TEST_CASE("latency/concurrency where nobody is busy") {
  CHECK(judge(idle()) == Verdict::latency_concurrency);
}

TEST_CASE("each verdict has its word") {
  CHECK(verdict_text(Verdict::path) == "path");
  CHECK(verdict_text(Verdict::client_cpu) == "client CPU");
  CHECK(verdict_text(Verdict::server_cpu) == "server CPU");
  CHECK(verdict_text(Verdict::host_cpu) == "host CPU");
  CHECK(verdict_text(Verdict::noisy) == "noisy");
  CHECK(verdict_text(Verdict::latency_concurrency) == "latency/concurrency");
}
