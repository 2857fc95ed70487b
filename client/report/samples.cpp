#include "client/report/samples.hpp"

#include <fmt/format.h>

#include "client/report/text.hpp"

namespace mocks3::client {
namespace {

/// RFC 4180: quoted where it must be.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

}  // namespace

std::string samples_csv(const RunReport& report) {
  std::string text;
  for (const auto& [name, value] : report.provenance) {
    text += fmt::format("# {}: {}\n", name, one_line(value));
  }
  text += "time_s,cell,client_bytes,server_bytes_in,server_bytes_out,server_cpu_s\n";
  for (const Sample& sample : report.samples) {
    text += fmt::format("{:.3f},{},{},{},{},{:.4f}\n", sample.time_s, csv_field(sample.cell),
                        sample.client_bytes, sample.server_bytes_in, sample.server_bytes_out,
                        sample.server_cpu_s);
  }
  return text;
}

}  // namespace mocks3::client
