#pragma once
#include "client/report/result_row.hpp"
#include "client/stats/summary.hpp"
#include "shared/util/units.hpp"

namespace mocks3::client {

/// A valid row of 4 files of 16 MiB with three repeats around `mib_per_s`.
inline ResultRow sample_row(const std::string& client, const std::string& op, size_t threads,
                            double mib_per_s) {
  ResultRow row;
  row.client = client;
  row.client_version = "1.2.3";
  row.op = op;
  row.threads = threads;
  row.files = 4;
  row.file_size_bytes = 16 * kMiB;
  row.bytes = 64 * kMiB;
  for (const double factor : {0.9, 1.0, 1.1}) {
    const double rate = mib_per_s * factor * static_cast<double>(kMiB);
    row.rates.push_back(rate);
    row.durations_s.push_back(static_cast<double>(row.bytes) / rate);
    row.client_cpu_each_s.push_back(0.5);
    row.server_cpu_each_s.push_back(0.05);
  }
  row.rate_bytes_per_s = summarize(row.rates);
  row.duration_s = median(row.durations_s);
  row.ceiling_bytes_per_s = 1000 * static_cast<double>(kMiB);
  row.client_cpu_s = 0.5;
  row.server_cpu_s = 0.05;
  row.peak_rss_bytes = 50 * kMiB;
  row.requests = {{"PutObject", 3}, {"HeadBucket", 1}};
  row.verdict = "client CPU";
  return row;
}

inline RunReport sample_report() {
  RunReport report;
  report.name = "sweep";
  report.provenance = {
      {"date", "2026-01-02T03:04:05Z"}, {"version", "v0.1.0"}, {"compiler", "GNU 12.2.0"},
      {"cpu", "A CPU @ 3 GHz"},         {"cores", "2"},        {"command", "s3-bench sweep"}};
  report.settings = {{"repeat", "3"}};
  report.ceilings = {
      {"put", 2, 1000 * static_cast<double>(kMiB), 1010 * static_cast<double>(kMiB)}};
  report.rows = {sample_row("native", "get", 2, 800), sample_row("native", "put", 2, 900),
                 sample_row("aws-cli", "put", 2, 200), sample_row("aws-cli", "put", 1, 120)};
  report.samples = {{1.0, "native put 4x16MiB threads=2 repeat=1", 10, 20, 30, 0.5}};
  return report;
}

}  // namespace mocks3::client
