#!/bin/sh
# A database of four moods, the last of which stops everybody, loaded by 25 workers
# at 10 000 operations a second.
#
#   DURATION  of the run (60s)
#   RATE      operations a second (10000)
#   TARE      the command (go run ./cmd/tare, in the repository's root)
set -eu
cd "$(dirname "$0")/../.."
exec ${TARE:-go run ./cmd/tare} load --workload c --db mock -p mock.mode=stalls \
	--rate "${RATE:-10000}" --workers 25 --warmup-duration 0s --duration "${DURATION:-60s}" --seed 1 "$@"
