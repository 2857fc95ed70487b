# shellcheck shell=bash
# Sourced by bootstrap: installs the clients of the compatibility tests that are not among the
# tools. One that cannot be had is left out, and its tests are skipped.

# shellcheck disable=SC2154  # root: of common.sh
tools=$root/build/tools

# As `needs` in bootstrap.
client_needs=(
  awscli:@aws2 chromium:chromium golang-go:go nodejs:node npm:npm
  default-jdk-headless:javac maven:mvn
)

has_aws2() { [[ $(/usr/bin/aws --version 2>/dev/null) == aws-cli/2.* ]]; }

missing_client_packages() {
  local need
  for need in "${client_needs[@]}"; do
    recognised "${need#*:}" || echo "${need%%:*}"
  done
}

# One at a time, for one distribution or another lacks one of them.
client_packages() {
  local missing package log=$tools/apt.log
  mapfile -t missing < <(missing_client_packages)
  if ((${#missing[@]} == 0)); then
    say "clients: system packages all there"
    return
  fi
  command -v apt-get >/dev/null || die "not a Debian or Ubuntu: install ${missing[*]}"
  require_root "${missing[@]}"
  say "clients: installing ${missing[*]}"
  quietly "$log" as_root apt-get update || say "clients: going on with the lists that are there"
  for package in "${missing[@]}"; do
    quietly "$log" as_root apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends \
      --no-remove "$package" || say "clients: $package is left out"
  done
  hash -r
}

python_clients() {
  local directory=$tools/clients-venv requirements=$root/tests/clients/requirements-clients.txt
  local stamp
  stamp=$(venv_stamp "$directory" "$requirements")
  if has_stamp "$directory/stamp" "$stamp"; then
    say "clients: those in Python all there"
    return
  fi
  say "clients: installing those in Python into build/tools/clients-venv"
  if make_venv "$directory" "$requirements"; then
    printf '%s\n' "$stamp" >"$directory/stamp"
  else
    rm -rf -- "$directory"
    say "clients: those in Python are left out"
  fi
}

build_go_client() {
  local program=$tools/go/minio-go-client
  (cd -- "$root/tests/clients/go" && go build -mod=readonly -trimpath -o "$program" .)
}

build_js_client() {
  cp -- "$root"/tests/clients/js/{package.json,main.mjs} "$tools/js" &&
    npm install --prefix "$tools/js" --no-audit --no-fund --no-package-lock
}

build_java_client() {
  cp -- "$root/tests/clients/java/pom.xml" "$tools/java" &&
    mvn -q -B -f "$tools/java/pom.xml" -DoutputDirectory="$tools/java/lib" \
      dependency:copy-dependencies &&
    javac -cp "$tools/java/lib/*" -d "$tools/java/classes" "$root/tests/clients/java/S3Program.java"
}

# build_client LANGUAGE WHAT VERSION-COMMAND...: with build_LANGUAGE_client, from
# tests/clients/LANGUAGE into build/tools/LANGUAGE.
build_client() {
  local language=$1 what=$2 stamp directory=$tools/$1
  shift 2
  command -v "$1" >/dev/null || {
    say "clients: $what is left out: there is no $1"
    return
  }
  stamp=$("$@" && cat -- "$root/tests/clients/$language"/* | sha256sum)
  if has_stamp "$directory/stamp" "$stamp"; then
    say "clients: $what is there"
    return
  fi
  say "clients: building $what into build/tools/$language"
  rm -rf -- "$directory"
  mkdir -p -- "$directory"
  if quietly "$tools/$language.log" "build_${language}_client"; then
    printf '%s\n' "$stamp" >"$directory/stamp"
  else
    rm -rf -- "$directory"
    say "clients: $what is left out"
  fi
}

clients() {
  client_packages
  python_clients
  build_client go minio-go go version
  build_client js "the AWS SDK for JavaScript" node --version
  build_client java "the AWS SDK for Java" java --version
}
