#!/usr/bin/env bash
# What data-gen does when it is run: output, exit status, and what it leaves behind.
# Usage: data_gen_test.sh PATH-OF-DATA-GEN
set -u
data_gen=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
checks=0
failed=0

# run COMMAND...: leaves its status in $status, its output in out and err.
run() {
  "$@" >out 2>err
  status=$?
}

# check NAME COMMAND...: the command has to succeed.
check() {
  checks=$((checks + 1))
  if ! "${@:2}" >/dev/null 2>&1; then
    failed=$((failed + 1))
    echo "FAILED: $1: ${*:2}"
    sed 's/^/  out: /' out | tail -3
    sed 's/^/  err: /' err | tail -3
  fi
}

ends_with_status() { [ "$status" = "$1" ]; }
one_line() { [ "$(wc -l <"$1")" = 1 ]; }
absent() { ! [ -e "$1" ]; }
differ() { ! cmp -s "$1" "$2"; }
no_bytes() { ! [ -s "$1" ]; }

# fails NAME STATUS TEXT: the last command ended with STATUS and one line that has TEXT.
fails() {
  check "$1: status" ends_with_status "$2"
  check "$1: one line" one_line err
  check "$1: says why" grep -q -- "$3" err
}

# Puts another byte at an offset of a file.
damage() {
  local byte
  byte=$(od -An -tu1 -j"$2" -N1 "$1")
  printf "\\x$(printf %x $((byte ^ 1)))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# ---- Writing

run "$data_gen" 4x1MiB --to a
check "write: status" ends_with_status 0
check "write: says what" grep -q '^wrote 4 files, 4 MiB, below "a" in ' out
check "write: nothing on standard error" no_bytes err
run "$data_gen" 4x1MiB --to b
check "same seed, same bytes" diff -r a b
run "$data_gen" 4x1MiB --to c --seed 2
check "another seed, other bytes" differ a/00 c/00
check "each file has the next seed" cmp a/01 c/00
run "$data_gen" 4x1MiB --to -
check "a stream is the files, one after another" cmp out <(cat a/*)
run "$data_gen" 16x64MiB --to dry --dry-run
check "dry run: status" ends_with_status 0
check "dry run: total" grep -q '^16 files, 1 GiB (1073741824 bytes)$' out
check "dry run: room" grep -q '^room in "dry": ' out
check "dry run: writes nothing" absent dry

# ---- Verifying

run "$data_gen" --verify a
check "verify: right" ends_with_status 0
cp -r a wrong
damage wrong/02 777777
for how in "--verify wrong" "4x1MiB --to wrong --verify"; do
  # shellcheck disable=SC2086 # the words are separate arguments
  run "$data_gen" $how
  check "$how: status" ends_with_status 1
  check "$how: names file and offset" grep -qx 'wrong/02: wrong byte at offset 777777' out
done
for offset in 0 1 7 8 22 23 1048575; do
  cp a/00 flipped
  damage flipped $offset
  run "$data_gen" --verify flipped
  check "wrong byte $offset" grep -qx "flipped: wrong byte at offset $offset" out
done
tail -c +12346 a/01 | head -c 500001 >slice
run "$data_gen" --verify slice
check "verify: a slice" ends_with_status 0
run "$data_gen" --verify - <slice
check "verify: a slice on standard input" ends_with_status 0
run bash -c "'$data_gen' 4x1MiB --to - | '$data_gen' --verify -"
check "verify: streams one after another" grep -q ' right, 4 MiB' out
: >empty
run "$data_gen" --verify empty
check "too short: status" ends_with_status 1
check "too short: says so" grep -q '^empty: too short to recognise; use a manifest$' out

# ---- Sets and manifests

for set in mixed hostile many-tiny; do
  run "$data_gen" $set --to $set --manifest $set/manifest.json
  check "$set: written" ends_with_status 0
  run "$data_gen" $set --to $set --verify
  check "$set: verified as a set" ends_with_status 0
  run "$data_gen" --verify --manifest $set/manifest.json
  check "$set: verified by its manifest" ends_with_status 0
  run "$data_gen" --verify $set
  check "$set: recognised" ends_with_status 0
done
check "manifest: sha256sum agrees" bash -c "sed -n 's/.*\"name\": \"\(.*\)\", \"size.*sha256\": \"\(.*\)\".*/\2  \1/p' \
  mixed/manifest.json | (cd mixed && sha256sum --check --strict)"
head -c -9 mixed/manifest.json >cut.json
run "$data_gen" --verify --manifest cut.json mixed
fails "a damaged manifest" 1 'is not a manifest, or is damaged'
run "$data_gen" --verify --manifest slice mixed
fails "a foreign manifest" 1 'is not a manifest, or is damaged'
sed 's#"text/0/001.txt"#"../../etc/passwd"#' mixed/manifest.json >leads-out.json
run "$data_gen" --verify --manifest leads-out.json mixed
fails "a manifest that leads out" 1 'not below a directory'
run "$data_gen" 2x100 --to new --manifest new/00
fails "a manifest over a file of the set" 1 "one of the set's own names"
run "$data_gen" 2x100 --to new --manifest nowhere/m.json
fails "a manifest in no directory" 1 'No such file'
check "a manifest that cannot be written: nothing else is either" absent new

# ---- What cannot be done

run "$data_gen" 100x8TiB --to big
fails "no room" 1 'no room in "big": .* needed, .* available'
check "no room: nothing was made" absent big
run "$data_gen" 1x1 --to slice
fails "a file as the directory" 1 'is not a directory'
run "$data_gen" 1x9 --to a
fails "a file with another size" 1 'another size'
mkdir pipes && mkfifo pipes/00
run timeout 10 "$data_gen" 1x1 --to pipes
fails "a pipe as the file" 1 'not a regular file'
run "$data_gen" nonsense --to d
fails "no such set" 2 'no set "nonsense"'
run "$data_gen" 1x5Xi --to d
fails "no such size" 2 'no set "1x5Xi"'
run "$data_gen" --nonsense
fails "no such flag" 2 'unknown flag "--nonsense"'
check "wrong usage: nothing was made" absent d
(ulimit -f 1024 && exec "$data_gen" 1x4MiB --to limited) >out 2>err
status=$?
fails "a file over the limit" 1 'File too large'
check "a file over the limit: nothing is left" absent limited

# ---- Standard output

"$data_gen" 4x16MiB --to - 2>err | head -c 1000 >out
status=${PIPESTATUS[0]}
fails "a reader that goes away" 1 'closed by its reader'
for arguments in "1x1MiB --to -" "many-tiny --dry-run" "--help"; do
  # shellcheck disable=SC2086
  "$data_gen" $arguments >/dev/full 2>err
  status=$?
  fails "$arguments, to a full device" 1 'No space left on device'
done
"$data_gen" 1x1MiB --to - >&- 2>err
status=$?
fails "a closed standard output" 1 'Bad file descriptor'

# ---- Signals

mkfifo unread
sleep 30 <unread &
reader=$!
"$data_gen" 4x64MiB --to - >unread 2>err &
writer=$!
sleep 0.5
kill -INT $writer
wait $writer
status=$?
kill $reader
check "interrupted while it waits for a reader" ends_with_status 130
for signal in INT:130 TERM:143; do
  "$data_gen" 2x512MiB --to cut >out 2>err &
  writer=$!
  until [ -e cut/00 ] || ! kill -0 $writer 2>/dev/null; do sleep 0.01; done
  kill -"${signal%:*}" $writer
  wait $writer
  status=$?
  fails "$signal" "${signal#*:}" 'interrupted'
  check "$signal: the unfinished file is gone" absent cut/00
  rm -rf cut
done

echo "$checks checks, $failed failed"
[ $failed = 0 ]
