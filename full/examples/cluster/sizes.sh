#!/bin/bash
# sizes.sh [N…] runs a load by N agents, all on this machine, for each N (1, 10 and 50 by default), and prints what the agents
# and their controller take. Each agent sends 20 operations a second to a database that does nothing; RATE is another number.
# It needs Linux and tare-full in the PATH.
set -u
rate=${RATE:-20} address=127.0.0.1:4299
[ $# -gt 0 ] || set -- 1 10 50
work=$(mktemp -d)
cd "$work" || exit 1
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$work"' EXIT
od -An -N16 -tx1 /dev/urandom | tr -d ' \n' >token

cpu() { awk '{print ($14 + $15) * 10}' "/proc/$1/stat"; }            # of a process so far, ms
peak() { awk '/VmHWM/ {printf "%.1f", $2 / 1024}' "/proc/$1/status"; } # of its memory, MiB

echo 'agents  start-up s  controller: CPU ms/s  MiB  an agent: CPU ms/s  MiB  messages/s  bytes/s'
for n; do
  agents=()
  for i in $(seq "$n"); do
    tare-full agent --join nats://$address --token @token --name "$i" --keep "kept-$i" --once >/dev/null 2>&1 &
    agents+=($!)
  done
  sleep $((2 + n / 5)) # until all wait for the controller
  begin=$(date +%s%N)
  tare-full load --agents "$n" --agents-listen $address --agents-token @token --workload c --db mock --no-load \
    --rate $((rate * n)) --duration 20s --warmup-duration 0s --progress none -o run.jsonl >/dev/null 2>&1 &
  controller=$!
  until [ -s run.jsonl ] && grep -q '"k":"load"' run.jsonl; do sleep 0.02; done # the first interval is written 1 s after the start
  started=$(date +%s%N)
  c0=$(cpu $controller) a0=$(cpu "${agents[0]}") m0=$(cat kept-1/*.jsonl | wc -l) b0=$(cat kept-1/*.jsonl | wc -c)
  sleep 10
  c1=$(cpu $controller) a1=$(cpu "${agents[0]}") m1=$(cat kept-1/*.jsonl | wc -l) b1=$(cat kept-1/*.jsonl | wc -c)
  printf '%6d  %10s  %20s  %3.0f  %18s  %3.0f  %10s  %7s\n' "$n" "$(echo "($started - $begin) / 10^9 - 1" | bc -l | cut -c1-4)" \
    "$(((c1 - c0) / 10))" "$(peak $controller)" "$(((a1 - a0) / 10))" "$(peak "${agents[0]}")" "$(((m1 - m0) / 10))" "$(((b1 - b0) / 10))"
  wait $controller "${agents[@]}"
  rm -rf kept-* run.jsonl
done
