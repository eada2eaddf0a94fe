#!/usr/bin/env bash
# How well N is found beside other programs: calibrates eight equal loops and three that allocate again and again, beside
# some busy loops of another session, and prints how many N are within a factor 2 of the median of the runs without them.
#
# usage: internal/numbers/calibration/live.sh [HOGS...]     (default: 2 4)
#        RUNS=13 TARE=./tare internal/numbers/calibration/live.sh 2
#
# It takes some minutes and all processors. Linux.
set -euo pipefail
cd "$(dirname "$0")/../.."
runs=${RUNS:-13}
dir=$(mktemp -d)
hogs=()
stop() {
	[ ${#hogs[@]} -eq 0 ] || kill "${hogs[@]}" 2>/dev/null || true
	hogs=()
}
trap 'stop; rm -rf "$dir"' EXIT
tare=${TARE:-$dir/tare}
[ -n "${TARE:-}" ] || go build -trimpath -o "$tare" ./cmd/tare
tare=$(realpath "$tare")
cd internal/numbers/calibration/testdata/loops
calibrate() { # HOGS: one line per benchmark and run, with its kind and N
	for _ in $(seq "$1"); do
		setsid sh -c 'while :; do :; done' &
		hogs+=($!)
	done
	for _ in $(seq "$runs"); do
		TMPDIR=$dir "$tare" bench --dry-run --quick --progress none . |
			awk '$2 ~ /^Loop/ { print "Loop", $5 } $2 ~ /^Alloc/ { print $2, $5 }'
	done >"$dir/n-$1"
	stop
}
of() { awk -v kind="$1" '$1 == kind { print $2 }' "$2" | sort -n; } # KIND FILE
for h in 0 ${@:-2 4}; do
	calibrate "$h"
	for kind in $(cut -d' ' -f1 "$dir/n-0" | sort -u); do
		truth=$(of "$kind" "$dir/n-0" | awk '{ n[NR] = $1 } END { print n[int((NR + 1) / 2)] }')
		of "$kind" "$dir/n-$h" | awk -v kind="$kind" -v hogs="$h" -v truth="$truth" -v load="$(cut -d' ' -f1 /proc/loadavg)" '
			{ n[NR] = $1; r = $1 / truth; within += r >= 0.5 && r <= 2; half += r < 0.5; tenth += r < 0.1 }
			END { printf "%s, %d hogs (load %s): %d trials, within a factor 2 of %d: %.1f %%, below half %.1f %%, below a tenth %.1f %%, N %d .. %d .. %d\n",
				kind, hogs, load, NR, truth, 100 * within / NR, 100 * half / NR, 100 * tenth / NR, n[1], n[int((NR + 1) / 2)], n[NR] }'
	done
done
