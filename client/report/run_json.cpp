#include "client/report/run_json.hpp"

#include <nlohmann/json.hpp>

namespace mocks3::client {
namespace {

using Json = nlohmann::ordered_json;

Json pairs_json(const std::vector<std::pair<std::string, std::string>>& pairs) {
  Json object = Json::object();
  for (const auto& [name, value] : pairs) object[name] = value;
  return object;
}

Json histogram_json(const Histogram& histogram) {
  return {{"p50", histogram.quantile(0.5)},  {"p90", histogram.quantile(0.9)},
          {"p99", histogram.quantile(0.99)}, {"p999", histogram.quantile(0.999)},
          {"max", histogram.max()},          {"n", histogram.count()}};
}

Json latency_json(const ResultRow& row) {
  Json latency = Json::object();
  if (row.service_ns.count() > 0) latency["service"] = histogram_json(row.service_ns);
  if (row.ttfb_ns.count() > 0) latency["ttfb"] = histogram_json(row.ttfb_ns);
  return latency;
}

Json optional_json(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

void add_rates(const ResultRow& row, Json& json) {
  const Summary& rate = row.rate_bytes_per_s;
  json["rate_bytes_per_s"] = {
      {"median", rate.median}, {"low", rate.low}, {"high", rate.high}, {"n", rate.n}};
  json["rates_bytes_per_s"] = row.rates;
  json["durations_s"] = row.durations_s;
  const bool ceiling = row.ceiling_bytes_per_s > 0;
  json["ceiling_bytes_per_s"] = ceiling ? Json(row.ceiling_bytes_per_s) : Json();
  json["ceiling_ratio"] = ceiling ? Json(rate.median / row.ceiling_bytes_per_s) : Json();
}

Json row_json(const ResultRow& row) {
  Json json;
  json["client"] = row.client;
  json["client_version"] = row.client_version;
  json["op"] = row.op;
  json["threads"] = row.threads;
  json["files"] = row.files;
  json["file_size_bytes"] = row.file_size_bytes;
  json["bytes"] = row.bytes;
  json["duration_s"] = row.duration_s;
  add_rates(row, json);
  json["client_cpu_s"] = row.client_cpu_s;
  json["server_cpu_s"] = optional_json(row.server_cpu_s);
  json["peak_rss_bytes"] = row.peak_rss_bytes;
  json["requests"] = row.requests;
  json["valid"] = row.valid;
  json["failed"] = row.failed;
  json["why_invalid"] = row.why_invalid;
  json["verdict"] = row.verdict;
  const Json latency = latency_json(row);
  if (!latency.empty()) json["latency_ns"] = latency;
  if (!row.command.empty()) json["command"] = row.command;
  return json;
}

Json ceilings_json(const std::vector<CeilingPair>& ceilings) {
  Json list = Json::array();
  for (const CeilingPair& pair : ceilings) {
    list.push_back({{"op", pair.op},
                    {"streams", pair.streams},
                    {"before_bytes_per_s", pair.before_bytes_per_s},
                    {"after_bytes_per_s",
                     pair.after_bytes_per_s > 0 ? Json(pair.after_bytes_per_s) : Json()}});
  }
  return list;
}

}  // namespace

std::string run_json(const RunReport& report) {
  Json json;
  json["schema"] = 1;
  json["name"] = report.name;
  json["partial"] = report.partial;
  json["provenance"] = pairs_json(report.provenance);
  json["settings"] = pairs_json(report.settings);
  json["ceilings"] = ceilings_json(report.ceilings);
  json["results"] = Json::array();
  for (const ResultRow& row : report.rows) json["results"].push_back(row_json(row));
  json["notes"] = report.notes;
  // A tool's own messages may hold any bytes.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace mocks3::client
