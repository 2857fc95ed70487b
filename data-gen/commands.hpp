#pragma once
#include <functional>

#include "data-gen/options.hpp"

namespace mocks3::datagen {

/// Does what the options ask for. Results go to standard output, errors (one line) to standard
/// error. `stopped` is asked again and again; once it is true, the work ends and what is
/// unfinished is removed. Gives the exit status; what a signal makes of it is the caller's.
int run_command(const Options& options, const std::function<bool()>& stopped);

}  // namespace mocks3::datagen
