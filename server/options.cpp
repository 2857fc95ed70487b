#include "server/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "server/options_table.hpp"
#include "shared/util/encode.hpp"
#include "shared/util/version.hpp"

namespace mocks3::server {

namespace {

constexpr std::string_view kHint = "; see mock-s3 --help";

/// The values of one flag and where they were set, as messages name it.
struct Given {
  std::string label;
  std::vector<std::string> values;
};
/// By flag name without dashes; an earlier source has precedence over a later one.
using GivenFlags = std::map<std::string, Given, std::less<>>;

struct CommandLine {
  GivenFlags given;
  bool help = false;
  bool version = false;
};

ParsedOptions text_only(std::string text, int exit_code) {
  ParsedOptions parsed;
  parsed.text = std::move(text);
  parsed.exit_code = exit_code;
  return parsed;
}

ParsedOptions usage_error(const std::string& message) {
  std::string line = "mock-s3: " + message;
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return text_only(line + "\n", 2);
}

std::string environment_name(std::string_view flag) {
  std::string name = "MOCK_S3_";
  for (const char c : flag) {
    name += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  }
  return name;
}

Error unexpected(const std::string& argument) {
  if (!argument.starts_with('-')) {
    return {fmt::format("unexpected argument \"{}\"{}", argument, kHint)};
  }
  return {fmt::format("unknown flag {}{}", argument.substr(0, argument.find('=')), kHint)};
}

/// The only function that knows CLI11's way to read a command line.
Result<CommandLine> read_command_line(std::vector<std::string> arguments) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  CommandLine line;
  app.add_flag("-h,--help", line.help);
  app.add_flag("--version", line.version);
  std::map<std::string, std::vector<std::string>> values;
  std::map<std::string, std::string> switches;
  std::map<std::string, CLI::Option*> options;
  for (const OptionFlag& flag : option_flags()) {
    const std::string name(flag.name);
    const std::string dashed = "--" + name;
    options[name] = flag.value.empty()
                        ? app.add_flag(dashed, switches[name])
                        : app.add_option(dashed, values[name])->allow_extra_args(false);
  }
  std::reverse(arguments.begin(), arguments.end());
  try {
    app.parse(arguments);
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string what = error.what();
    return Error{what.substr(0, what.find_first_of(": ")) + " needs a value" + std::string(kHint)};
  } catch (const CLI::ParseError& error) {
    return Error{error.what() + std::string(kHint)};
  }
  if (line.help || line.version) return line;
  if (const auto rest = app.remaining(); !rest.empty()) return unexpected(rest.front());
  for (const auto& [name, option] : options) {
    if (option->count() == 0) continue;
    const auto found = switches.find(name);
    line.given[name] = {"--" + name, found == switches.end()
                                         ? values[name]
                                         : std::vector<std::string>{found->second}};
  }
  return line;
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  while (!(text = trim(text)).empty()) {
    const size_t end = text.find_first_of(" \t\n");
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(words.back().size());
  }
  return words;
}

/// Environment variables that are set but empty count as absent.
void add_environment(GivenFlags& given) {
  for (const OptionFlag& flag : option_flags()) {
    const std::string variable = environment_name(flag.name);
    const char* text = std::getenv(variable.c_str());
    if (!text || !*text) continue;
    given.try_emplace(
        std::string(flag.name),
        Given{variable, flag.repeatable ? split_words(text) : std::vector<std::string>{text}});
  }
}

Result<std::vector<CLI::ConfigItem>> read_config_items(const Given& config) {
  const std::string& path = config.values.back();
  std::error_code ignored;
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path, ignored)) {
    return Error{
        fmt::format("{}: cannot read \"{}\": name a readable TOML file", config.label, path)};
  }
  try {
    return CLI::ConfigTOML().from_config(file);
  } catch (const CLI::Error& error) {
    return Error{fmt::format("{}: cannot read \"{}\": {}", config.label, path, error.what())};
  }
}

/// CLI11 takes '#' for a comment even within quotes, which leaves a quote without its partner.
bool cut_by_comment(const CLI::ConfigItem& item) {
  return std::any_of(item.inputs.begin(), item.inputs.end(), [](const std::string& value) {
    return value.starts_with('"') || value.starts_with('\'');
  });
}

Status add_config_file(GivenFlags& given) {
  const auto config = given.find("config");
  if (config == given.end()) return ok_status();
  const auto items = read_config_items(config->second);
  if (!items) return items.error();
  const std::string path = config->second.values.back();
  for (const CLI::ConfigItem& item : *items) {
    if (item.name == "++" || item.name == "--") continue;  // CLI11's marks of a [section]
    const auto flags = option_flags();
    const auto known = std::find_if(flags.begin(), flags.end(), [&](const OptionFlag& flag) {
      return flag.name == item.name && flag.name != "config";
    });
    if (known == flags.end() || !item.parents.empty()) {
      return Error{fmt::format("{}: unknown key \"{}\": keys are flags without their dashes{}",
                               path, item.fullname(), kHint)};
    }
    if (cut_by_comment(item)) {
      return Error{fmt::format("{}: {}: a value cannot hold '#'", path, item.name)};
    }
    given.try_emplace(item.name, Given{path + ": " + item.name, item.inputs});
  }
  return ok_status();
}

/// One flag of the help text; further lines of its description stand below the first.
std::string help_line(std::string_view flag, std::string_view description) {
  std::string text = fmt::format("  {:<24} ", flag);
  const std::string indent(text.size(), ' ');
  for (const char c : description) {
    text += c;
    if (c == '\n') text += indent;
  }
  return text + '\n';
}

std::string help_text() {
  std::string text =
      "mock-s3 " + std::string(version()) +
      "\nS3-compatible server that throws uploads away and serves synthetic bytes at line rate.\n"
      "\nUsage: mock-s3 [flags]\n";
  std::string_view group;
  for (const OptionFlag& flag : option_flags()) {
    if (flag.group != group) text += fmt::format("\n{}\n", flag.group);
    group = flag.group;
    text += help_line(fmt::format("--{} {}", flag.name, flag.value), flag.help);
  }
  return text + help_line("--version", "print the version") +
         help_line("-h, --help", "print this text") +
         "\nEvery flag is also an environment variable: MOCK_S3_ and its name in upper case, with "
         "_\n"
         "for - (MOCK_S3_IDLE_TIMEOUT=2m; repeatable ones take several values with spaces "
         "between),\n"
         "and a key of the --config file (idle-timeout = \"2m\"; bind = [\"0.0.0.0\", \"::\"]).\n"
         "The command line goes before the environment, and that before the file.\n";
}

ParsedOptions apply_all(const GivenFlags& given) {
  ParsedOptions parsed;
  for (const OptionFlag& flag : option_flags()) {
    const auto found = given.find(flag.name);
    if (found == given.end()) continue;
    if (found->second.values.empty()) return usage_error(found->second.label + " needs a value");
    if (const auto complaint = flag.apply(parsed.options, found->second.values)) {
      return usage_error(found->second.label + *complaint);
    }
  }
  parsed.run = true;
  return parsed;
}

}  // namespace

ParsedOptions parse_options(const std::vector<std::string>& arguments) {
  Result<CommandLine> line = read_command_line(arguments);
  if (!line) return usage_error(line.error().message);
  if (line->help) return text_only(help_text(), 0);
  if (line->version) return text_only(fmt::format("mock-s3 {}\n", version()), 0);
  add_environment(line->given);
  if (const Status status = add_config_file(line->given); !status) {
    return usage_error(status.error().message);
  }
  return apply_all(line->given);
}

}  // namespace mocks3::server
