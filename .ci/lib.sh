# What .ci/run and .ci/soak share: steps, programs to install, the budget, fuzzing, stress.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

work=$(mktemp -d "${TMPDIR:-/tmp}/tare-ci.XXXXXX")
declare -A step_name=() step_start=() step_log=() # of the steps that run, by process
set -m # a step is a process group, so that it can be ended whole

at_exit() {
  local pid
  for pid in "${!step_name[@]}"; do kill -- "-$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap at_exit EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# step NAME COMMAND…: a step that has the machine to itself. Steps that measure
# and print figures are of this kind, and those on which later ones depend.
step() {
  finish_all
  printf '\n== %s (after %s)\n' "$1" "$(clock "$SECONDS")"
  start_step "" "$@"
  finish_one
}

# beside NAME COMMAND…: a step that may run beside others. Its output is printed when it ends.
beside() {
  while [ "${#step_name[@]}" -ge "$(nproc)" ]; do finish_one; done
  start_step "$work/${1//[^a-z0-9]/_}.log" "$@"
}

start_step() { # start_step LOG NAME COMMAND…; without a log, the output is printed at once
  local log=$1 name=$2
  shift 2
  if [ -n "$log" ]; then ("$@") >"$log" 2>&1 & else ("$@") & fi
  step_name[$!]=$name step_start[$!]=$SECONDS step_log[$!]=$log
}

# finish_one waits until one of the steps ends. The first that fails ends the run.
finish_one() {
  local pid status=0 name log took
  wait -n -p pid "${!step_name[@]}" || status=$?
  name=${step_name[$pid]} log=${step_log[$pid]} took=$((SECONDS - step_start[$pid]))
  unset "step_name[$pid]" "step_start[$pid]" "step_log[$pid]"
  if [ -n "$log" ]; then
    printf '\n== %s (beside others)\n' "$name"
    cat "$log"
  fi
  printf -- '-- %s took %s\n' "$name" "$(clock "$took")"
  [ "$status" = 0 ] || { printf '\nFAILED: %s\n' "$name"; exit 1; }
}

finish_all() { while [ "${#step_name[@]}" -gt 0 ]; do finish_one; done; }

need() { # need COMMAND PACKAGE: install a Debian package if its command is missing
  command -v "$1" >/dev/null && return
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || { echo "$1 is missing, and so is a way to install $2"; exit 1; }
  [ -e /run/tare-apt-updated ] || { apt-get update -q; touch /run/tare-apt-updated; } # where only root writes
  DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$2"
}

install_programs() {
  need git git
  need gcc gcc # for the race detector
  need redis-server redis-server
  need memcached memcached
  need valgrind valgrind
  need jq jq # a document has commands of it
  [ -n "$(ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null)" ] || need initdb postgresql
  need java default-jre-headless
  need objdump binutils
  need chromium chromium
  (need perf linux-perf) || echo "perf cannot be had: what is compared with it is skipped"
  need aarch64-linux-gnu-objdump binutils-aarch64-linux-gnu
  need qemu-aarch64-static qemu-user-static
  [ -e /usr/share/java/hdrhistogram.jar ] || need hdrhistogram.jar libhdrhistogram-java
  go version
}

# for_each_module COMMAND…: runs it in the main module and in those that come with it.
for_each_module() { "$@" && for_nested_modules "$@"; }

for_nested_modules() {
  local dir
  for dir in full lab dev; do (cd "$dir" && "$@"); done
}

build_staticcheck() { go -C tools build -o "$work/staticcheck" honnef.co/go/tools/cmd/staticcheck; }

# staticcheck collects garbage a quarter as often: a quarter less CPU time, for twice the memory.
staticcheck() {
  build_staticcheck
  GOGC=400 for_each_module "$work/staticcheck" ./...
}

# budget FLAGS…: builds cmd/tare without symbols, and checks its size.
budget() {
  local size
  go build "$@" -ldflags='-s -w' -o "$work/tare" ./cmd/tare
  size=$(stat -c %s "$work/tare")
  echo "$size bytes"
  [ "$size" -le 30000000 ] || { echo "cmd/tare is above 30 MB"; return 1; }
}

# fuzz_all TIME: each fuzz target for so long. A package is compiled once for all
# of its targets; two processes at a time, so that one compiles while another runs.
fuzz_all() {
  git grep -l '^func Fuzz' -- '*_test.go' | xargs -n1 dirname | sort -u |
    FUZZTIME=$1 FUZZDIR="$work/fuzz" xargs -P2 -I{} bash -c 'fuzz_package "$1" || exit 255' fuzz {}
}

fuzz_package() { # fuzz_package DIR
  local binary="$FUZZDIR/${1//\//_}.test" target log
  mkdir -p "$FUZZDIR/cache"
  (cd "$1" && go test -c -fuzz=Fuzz -o "$binary" .) || return 1
  for target in $(grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$1"/*_test.go | cut -c6-); do
    log="$binary.$target.log"
    if ! fuzz_target "$1" "$binary" "$target" >"$log" 2>&1; then
      # A fuzzer that is stopped by its time may say "context deadline exceeded" and
      # nothing else (go.dev/issue/48591): that is no finding, and it is run once more.
      grep -q 'context deadline exceeded' "$log" && ! grep -q 'Failing input' "$log" &&
        fuzz_target "$1" "$binary" "$target" >"$log" 2>&1 || { cat "$log"; return 1; }
    fi
    echo "$1 $target: $(grep -h '^fuzz: ' "$log" | tail -n 1)"
  done
}

fuzz_target() { # fuzz_target DIR BINARY TARGET
  (cd "$1" && "$2" -test.run "^$3\$" -test.fuzz "^$3\$" -test.fuzztime "$FUZZTIME" -test.fuzzminimizetime 20x -test.parallel 1 -test.fuzzcachedir "$FUZZDIR/cache/$3")
}
export -f fuzz_package fuzz_target

# stress_queues TIME: each queue for so long, under the race detector.
stress_queues() {
  go test -race -c -o "$work/queue.test" ./queue
  printf '%s\n' Blocking SPSC GrowableSPSC UnboundedSPSC MPSC LinkedMPSC UnboundedMPSC SPMC MPMC UnboundedMPMC BufferedProducer |
    (cd queue && TARE_STRESS=$1 xargs -P2 -I{} "$work/queue.test" -test.timeout 30m -test.run '^TestStress$/^{}$')
}
