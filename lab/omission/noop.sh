#!/bin/sh
# A database that does nothing: what is measured is tare. Each way of waiting for
# the due time in turn.
#
#   DURATION  of each run (10s)
#   RATE      operations a second (1000)
#   TARE      the command (go run ./cmd/tare, in the repository's root)
set -eu
cd "$(dirname "$0")/../.."
for pace in sleep hybrid spin; do
	echo "== $pace"
	${TARE:-go run ./cmd/tare} load --workload c --db mock --pace "$pace" \
		--rate "${RATE:-1000}" --workers 1 --warmup-duration 0s --duration "${DURATION:-10s}" --seed 1 "$@"
done
