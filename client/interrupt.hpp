#pragma once

namespace mocks3::client {

/// Exit status of a command that was interrupted and printed what there was: 128 + SIGINT.
inline constexpr int kInterruptedExit = 130;

/// Installs handlers of SIGINT and SIGTERM that only set a flag; a second signal ends the process
/// at once with status 130. Long work asks interrupted() and stops early with what there is.
void install_interrupt_handler();
bool interrupted();

}  // namespace mocks3::client
