#include "client/iperf3.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <thread>

#include "client/child.hpp"
#include "client/interrupt.hpp"
#include "shared/util/encode.hpp"

namespace mocks3::client {
namespace {

constexpr auto kStartLimit = std::chrono::seconds(5);
constexpr auto kPoll = std::chrono::milliseconds(5);

/// A loopback port that nobody uses now; 0 where there is none.
uint16_t free_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  const bool good =
      fd >= 0 && bind(fd, generic, length) == 0 && getsockname(fd, generic, &length) == 0;
  if (fd >= 0) close(fd);
  return good ? ntohs(address.sin_port) : 0;
}

std::string first_line(std::string_view text) {
  text = trim(text);
  return std::string(text.substr(0, text.find('\n')));
}

/// Until the server says that it listens; false where it ended or said nothing in time.
bool wait_until_listening(ChildProcess& server) {
  const auto end = std::chrono::steady_clock::now() + kStartLimit;
  while (!interrupted() && !server.exit_status() && std::chrono::steady_clock::now() < end) {
    if (server.output().find("listening") != std::string::npos) return true;
    std::this_thread::sleep_for(kPoll);
  }
  return false;
}

bool read_number(std::string_view& text, unsigned& number) {
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  if (result.ec != std::errc{}) return false;
  text.remove_prefix(static_cast<size_t>(result.ptr - text.data()));
  return true;
}

}  // namespace

std::optional<Iperf3Version> parse_iperf3_version(std::string_view output) {
  constexpr std::string_view kPrefix = "iperf ";
  if (!output.starts_with(kPrefix)) return std::nullopt;
  output.remove_prefix(kPrefix.size());
  Iperf3Version version;
  version.text = output.substr(0, output.find_first_of(" \n"));
  if (!read_number(output, version.major) || !output.starts_with('.')) return std::nullopt;
  output.remove_prefix(1);
  if (!read_number(output, version.minor)) return std::nullopt;
  return version;
}

std::optional<Iperf3Version> find_iperf3() {
  const auto child = ChildProcess::start({"iperf3", "--version"});
  if (!child || (*child)->wait(kStartLimit) != 0) return std::nullopt;
  return parse_iperf3_version((*child)->output());
}

Result<double> parse_iperf3_rate(std::string_view text) {
  const auto json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return Error{"iperf3 gave no report"};
  if (const auto error = json.find("error"); error != json.end() && error->is_string())
    return Error{"iperf3: " + first_line(error->get<std::string>())};
  const nlohmann::json::json_pointer place("/end/sum_received/bits_per_second");
  if (!json.contains(place) || !json.at(place).is_number())
    return Error{"iperf3's report has no received rate"};
  return json.at(place).get<double>() / 8;
}

Result<double> iperf3_rate(Direction direction, size_t streams, std::chrono::seconds time) {
  const std::string port = std::to_string(free_port());
  const std::string seconds = std::to_string(std::max<int64_t>(1, time.count()));
  const auto server =
      ChildProcess::start({"iperf3", "-s", "-1", "-B", "127.0.0.1", "-p", port, "--forceflush"});
  if (!server) return server.error();
  if (!wait_until_listening(**server))
    return Error{"iperf3 -s does not listen: " + first_line((*server)->error_output())};
  std::vector<std::string> argv = {
      "iperf3", "-c", "127.0.0.1", "-p", port, "-P", std::to_string(streams), "-t", seconds, "-J"};
  if (direction == Direction::get) argv.push_back("-R");
  const auto client = ChildProcess::start(argv);
  if (!client) return client.error();
  if (!(*client)->wait(time + std::chrono::seconds(15)))
    return Error{interrupted() ? "interrupted" : "iperf3 does not end"};
  return parse_iperf3_rate((*client)->output());
}

}  // namespace mocks3::client
