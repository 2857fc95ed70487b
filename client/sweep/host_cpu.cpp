#include "client/sweep/host_cpu.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace mocks3::client {

std::optional<HostCpu> parse_host_cpu(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::string name;
  // proc(5): cpu user nice system idle iowait irq softirq steal guest ...; guest is in user too.
  double fields[8] = {};
  if (!(in >> name) || name != "cpu") return std::nullopt;
  for (double& field : fields) {
    if (!(in >> field)) return std::nullopt;
  }
  HostCpu cpu;
  for (const double field : fields) cpu.total += field;
  cpu.busy = cpu.total - fields[3] - fields[4];
  return cpu;
}

std::optional<HostCpu> read_host_cpu() {
  std::ifstream file("/proc/stat");
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  return parse_host_cpu(line);
}

double busy_share(const HostCpu& before, const HostCpu& after) {
  const double total = after.total - before.total;
  if (total <= 0) return 0;
  return std::clamp((after.busy - before.busy) / total, 0.0, 1.0);
}

}  // namespace mocks3::client
