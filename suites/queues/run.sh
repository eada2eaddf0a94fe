#!/usr/bin/env bash
# Measures everything and writes results/, the charts and the README's table:
#
#   ./run.sh              all, some 15 min on two cores
#   ./run.sh ratios       only what the README's table needs, some 7 min
#   FORKS=40 ./run.sh     more forks of the ratios (default 20; the rest takes 6)
#
# What was interrupted goes on where it was: records lie in run/. What was measured
# from other sources, or is complete, is not measured again: empty run/ for that.
# Leave the machine alone meanwhile. With more than two cores: taskset -c 0,1 ./run.sh
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p run
go generate
commit=$(git describe --always --dirty 2>/dev/null || echo unknown)
go build -C ../.. -o "$PWD/run/tare" ./cmd/tare

measure() { # measure NAME FLAGS...: a new record, or the rest of one
  local name=$1 out=run/$1.jsonl
  shift
  if [ ! -e "$out" ]; then
    run/tare bench "$@" -o "$out" . >"run/$name.txt"
  elif grep -q '"k":"end","state":"completed"' "$out"; then
    echo "$name: measured already; remove $out to measure again" >&2
  else
    run/tare bench --resume "$out" >"run/$name.txt"
  fi
}

# All that a ratio is made of lies in one record, interleaved.
needs=$(go run ./cmd/results -needs)
measure ratios --bench 'Throughput|RoundTrip|Starved|JCTools' --filter "$needs" --forks "${FORKS:-20}" --warmup 1 --iterations 2 --time 50ms
records=(run/ratios.jsonl)
if [ "${1:-all}" = all ]; then
  measure matrix --bench 'Throughput|RoundTrip|Starved|Burst|Latency|Memory|Store|JCTools' --filter "-($needs)" --forks 6 --warmup 1 --iterations 1 --time 30ms
  records+=(run/matrix.jsonl)
fi
go run ./cmd/results -o results -readme README.md -commit "$commit" "${records[@]}"
