#include "server/options_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "server/preload.hpp"
#include "shared/util/encode.hpp"
#include "shared/util/units.hpp"

namespace mocks3::server {

namespace {

using Values = std::vector<std::string>;
using Complaint = std::optional<std::string>;

template <class Number>
Complaint set_number(Number& out, const std::string& text, uint64_t low, uint64_t high) {
  const Result<uint64_t> number = parse_uint(text);
  if (!number) {
    return fmt::format(": cannot read \"{}\" as a number from {} to {}", text, low, high);
  }
  if (*number < low) return fmt::format(" must be at least {}", low);
  if (*number > high) return fmt::format(" must be at most {}", high);
  out = static_cast<Number>(*number);
  return std::nullopt;
}

Complaint set_time(nanoseconds& out, const std::string& text, bool zero_allowed) {
  const Result<nanoseconds> time = parse_duration(text);
  if (!time) return fmt::format(": cannot read \"{}\" as a time such as 30s or 500ms", text);
  if (!zero_allowed && time->count() == 0) return " must be more than 0";
  out = *time;
  return std::nullopt;
}

Complaint set_workers(Options& options, const Values& values) {
  return set_number(options.workers, values.back(), 1, 1024);
}

Complaint set_bind(Options& options, const Values& values) {
  if (std::any_of(values.begin(), values.end(), [](const auto& v) { return v.empty(); })) {
    return " needs an address such as 0.0.0.0 or ::1";
  }
  options.bind = values;
  return std::nullopt;
}

Complaint set_port(Options& options, const Values& values) {
  return set_number(options.port, values.back(), 0, 65535);
}

Complaint set_domain(Options& options, const Values& values) {
  for (const std::string& domain : values) {
    if (domain.empty() || domain.find_first_of(":/ ") != std::string::npos) {
      return fmt::format(": cannot read \"{}\" as a host name without a port", domain);
    }
  }
  options.domains = values;
  return std::nullopt;
}

Complaint set_payload(Options&, const Values& values) {
  if (values.back() == "discard") return std::nullopt;
  return fmt::format(": there is no \"{}\": the one value accepted is discard", values.back());
}

Complaint set_strict_buckets(Options& options, const Values& values) {
  const std::string text = to_lower(values.back());
  options.strict_buckets = text == "true" || text == "1";
  if (options.strict_buckets || text == "false" || text == "0") return std::nullopt;
  return fmt::format(": cannot read \"{}\" as true or false", values.back());
}

Complaint set_preload(Options& options, const Values& values) {
  for (const std::string& spec : values) {
    if (const auto parsed = parse_preload(spec); !parsed) return ": " + parsed.error().message;
  }
  options.preload = values;
  return std::nullopt;
}

Complaint set_region(Options& options, const Values& values) {
  const std::string& region = values.back();
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  };
  if (region.empty() || region.size() > 64 || !std::all_of(region.begin(), region.end(), allowed)) {
    return fmt::format(": cannot read \"{}\" as a region such as eu-west-1", region);
  }
  options.region = region;
  return std::nullopt;
}

Complaint set_max_connections(Options& options, const Values& values) {
  return set_number(options.max_connections, values.back(), 1, 1'000'000);
}

Complaint set_header_timeout(Options& options, const Values& values) {
  return set_time(options.header_timeout, values.back(), false);
}

Complaint set_idle_timeout(Options& options, const Values& values) {
  return set_time(options.idle_timeout, values.back(), false);
}

Complaint set_min_body_rate(Options& options, const Values& values) {
  const Result<uint64_t> rate = parse_size(values.back());
  if (!rate) {
    return fmt::format(": cannot read \"{}\" as bytes per second such as 100 or 1KiB",
                       values.back());
  }
  options.min_body_rate = *rate;
  return std::nullopt;
}

Complaint set_stats_interval(Options& options, const Values& values) {
  return set_time(options.stats_interval, values.back(), true);
}

Complaint set_grace(Options& options, const Values& values) {
  return set_time(options.grace, values.back(), true);
}

Complaint set_access_log(Options& options, const Values& values) {
  options.access_log = values.back();
  return std::nullopt;
}

Complaint set_log_level(Options& options, const Values& values) {
  constexpr std::array<std::string_view, 3> kLevels{"error", "info", "debug"};
  if (std::find(kLevels.begin(), kLevels.end(), values.back()) == kLevels.end()) {
    return fmt::format(": there is no \"{}\": use error, info or debug", values.back());
  }
  options.log_level = values.back();
  return std::nullopt;
}

Complaint set_admin_token(Options& options, const Values& values) {
  const auto printable = [](char c) { return c > ' ' && c < 0x7f; };
  const std::string& token = values.back();
  if (token.empty() || !std::all_of(token.begin(), token.end(), printable)) {
    return " must be printable ASCII without spaces";
  }
  options.admin_token = token;
  return std::nullopt;
}

/// The file was read before any value was applied.
Complaint config_was_read(Options&, const Values&) { return std::nullopt; }

constexpr OptionFlag kFlags[] = {
    {"Listening", "bind", "ADDR", true,
     "address to listen on; repeatable (default: 127.0.0.1 and ::1)", set_bind},
    {"Listening", "port", "N", false, "TCP port; 0 picks a free one (default: 8080)", set_port},
    {"Listening", "workers", "N", false, "threads that serve, 1 to 1024 (default: one per core)",
     set_workers},
    {"Listening", "max-connections", "N", false,
     "connections open at once, 1 to 1000000 (default: 20000)", set_max_connections},

    {"S3", "payload", "MODE", false, "what becomes of uploaded bytes: discard (default: discard)",
     set_payload},
    {"S3", "strict-buckets", "", false,
     "writes to a missing bucket fail; without it they create the bucket", set_strict_buckets},
    {"S3", "preload", "SPEC", true,
     "register BUCKET/KEY:SIZE at the start; {A..B} counts, as in\n"
     "bench/data/{00..31}:128MiB; repeatable",
     set_preload},
    {"S3", "domain", "NAME", true, "serve BUCKET.NAME as virtual-host style; repeatable",
     set_domain},
    {"S3", "region", "NAME", false, "region of every bucket (default: us-east-1)", set_region},

    {"Limits", "header-timeout", "TIME", false,
     "for a request head to be complete, e.g. 10s (default: 30s)", set_header_timeout},
    {"Limits", "idle-timeout", "TIME", false,
     "for which nothing may move on a connection (default: 120s)", set_idle_timeout},
    {"Limits", "min-body-rate", "SIZE", false,
     "bytes per second an upload must make on average once 30 s\n"
     "have passed; 0: any (default: 100)",
     set_min_body_rate},
    {"Limits", "grace", "TIME", false,
     "for requests in flight to end after SIGTERM or SIGINT (default: 5s)", set_grace},

    {"Reports", "stats-interval", "TIME", false,
     "between lines of throughput; 0: no lines (default: 1s)", set_stats_interval},
    {"Reports", "access-log", "FILE", false, "one line per request; - is standard output",
     set_access_log},
    {"Reports", "log-level", "LEVEL", false, "error, info or debug (default: info)", set_log_level},

    {"Other", "admin-token", "TEXT", false, "what calls to /_mock/ that change something must send",
     set_admin_token},
    {"Other", "config", "FILE", false, "TOML file with flags as keys", config_was_read},
};

}  // namespace

std::span<const OptionFlag> option_flags() { return kFlags; }

}  // namespace mocks3::server
