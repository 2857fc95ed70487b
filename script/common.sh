# shellcheck shell=bash
# Sourced by the scripts beside it: where things are, and what more than one of them does.

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
# shellcheck disable=SC2034  # used by the scripts
venv=$root/build/tools/venv

say() { printf '%s: %s\n' "${0##*/}" "$*"; }
die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# version_at_least HAVE WANT
version_at_least() { [[ $(printf '%s\n' "$2" "$1" | sort -V | head -n 1) == "$2" ]]; }

# quietly LOG COMMAND...: the output goes to LOG, and its end to the terminal where it fails.
quietly() {
  local log=$1 status=0
  shift
  "$@" >"$log" 2>&1 </dev/null || status=$?
  if ((status != 0)); then
    tail -n 25 -- "$log" >&2
    printf '%s: failed (the whole output is in %s): %s\n' "${0##*/}" "$log" "$*" >&2
  fi
  return "$status"
}

# with_lock NAME COMMAND...: one at a time among all runs in this source tree. Programs that
# COMMAND starts hold the lock too: what a killed script leaves behind is not disturbed.
with_lock() {
  local lock=$root/build/.$1.lock fd
  shift
  mkdir -p -- "$root/build"
  exec {fd}>"$lock"
  if ! flock -n "$fd"; then
    say "waiting for another run to finish this step"
    flock "$fd"
  fi
  "$@" # not in a condition, which would turn `set -e` off inside
  exec {fd}>&-
}

# build PRESET [TARGET...]: configures and builds into build/PRESET, all targets where none is
# named. Every script configures a preset in the same way, so that none of them makes another's
# build stale: warnings are errors in CI only, where the compiler is known.
build() {
  local preset=$1 directory=$root/build/$1 werror=OFF
  shift
  [[ ${CI:-} == true ]] && werror=ON
  forget_moved_build "$directory"
  say "configuring build/$preset"
  quietly "$root/build/configure-$preset.log" \
    cmake -S "$root" --preset "$preset" -DMOCK_S3_WERROR="$werror"
  say "building build/$preset"
  cmake --build "$directory" --parallel "$(nproc)" ${1:+--target "$@"}
}

# CMake refuses a build directory that was made for a source tree at another place.
forget_moved_build() {
  local cache=$1/CMakeCache.txt
  if [[ -f $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" -- "$cache"; then
    say "the source tree was moved: starting ${1##*/} anew"
    rm -rf -- "$1"
  fi
}
