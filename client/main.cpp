#include <signal.h>

#include <cstdio>

#include "client/interrupt.hpp"
#include "client/options.hpp"
#include "shared/util/process_usage.hpp"
#include "shared/util/provenance.hpp"

int main(int argc, char** argv) {
  using namespace mocks3;
  using namespace mocks3::client;

  const ParsedOptions parsed = parse_options({argv + 1, argv + argc});
  if (!parsed.run) {
    std::fputs(parsed.text.c_str(), parsed.exit_code == 0 ? stdout : stderr);
    return parsed.exit_code;
  }

  install_interrupt_handler();
  signal(SIGPIPE, SIG_IGN);
  raise_open_file_limit();

  const std::string command_line = redacted_command_line(argc, argv);
  switch (parsed.options.command) {
    case Command::put:
    case Command::get:
      return run_load_command(parsed.options, command_line);
    case Command::sweep:
      return run_sweep_command(parsed.options, command_line);
    case Command::ceiling:
      return run_ceiling_command(parsed.options, command_line);
    case Command::none:
      break;
  }
  return 2;
}
