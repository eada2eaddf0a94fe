#!/bin/sh
# 4 ms for each operation, one worker, 1000 of them due each second: what most tools
# report, and what is true.
#
#   DURATION  of the run (60s)
#   TARE      the command (go run ./cmd/tare, in the repository's root)
set -eu
cd "$(dirname "$0")/../.."
exec ${TARE:-go run ./cmd/tare} load --workload c --db mock -p mock.delay=4ms \
	--rate 1000 --workers 1 --warmup-duration 0s --duration "${DURATION:-60s}" --seed 1 "$@"
