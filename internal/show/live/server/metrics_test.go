package server

import (
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/show/live"
)

// TestLoadMetrics: counts, rates and latencies of a load run, in each format, without any connection of a browser.
func TestLoadMetrics(t *testing.T) {
	g := start(t, live.Setup{Follow: true})
	g.write(head)
	g.say(live.Message{Record: g.path})
	if got := g.text("/metrics"); !strings.Contains(got, `tare_run_info{kind="load",version="devel",seed="7"} 1`) || strings.Contains(got, "tare_load") {
		t.Errorf("at the beginning:\n%s", got)
	}
	g.interval()
	g.interval()
	text := g.text("/metrics")
	for _, want := range []string{
		`tare_load_operations_total{phase="run"} 200`, `tare_load_errors_total{phase="run",class="timeout"} 2`, `tare_load_backlog{phase="run"} 3`,
		`tare_load_achieved_rate{phase="run"} 100`, `tare_load_latency_seconds_bucket{phase="run",operation="READ",kind="response",le="0.0025"} 200`,
		`tare_load_latency_seconds_count{phase="run",operation="READ",kind="response"} 200`,
		`tare_load_latency_quantile_seconds{phase="run",operation="READ",kind="response",quantile="0.999"} 0.001000`,
		`tare_load_latency_max_seconds{phase="run",operation="READ",kind="response"} 0.001000`, "tare_run_ended 0\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	r := g.request("/metrics", "Accept", "application/openmetrics-text;version=1.0.0")
	if got := r.Header.Get("Content-Type"); !strings.HasPrefix(got, "application/openmetrics-text; version=1.0.0") {
		t.Errorf("%s", got)
	}
	if got := g.text("/metrics", "Accept", "application/openmetrics-text"); !strings.HasSuffix(got, "# EOF\n") || !strings.Contains(got, "# UNIT tare_load_latency_seconds seconds\n") {
		t.Errorf("%s", got)
	}
	const protobuf = "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited"
	if got := g.text("/metrics", "Accept", protobuf); !strings.Contains(got, "\x0a\x19tare_load_latency_seconds") {
		t.Errorf("%q", got)
	}
	// Another phase of the name, as of a sweep: its counts are added.
	g.write(`{"k":"load","phase":"run","final":true,"start":0,"length":2000000000,"asked":100,"did":100,"scheduled":200,"started":200,"completed":200,"errors":{"timeout":2}}` + "\n")
	g.second = 0
	g.interval()
	text = g.text("/metrics")
	for _, want := range []string{`tare_load_operations_total{phase="run"} 300`, `tare_load_errors_total{phase="run",class="timeout"} 3`, `_seconds_count{phase="run",operation="READ",kind="response"} 300`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	g.write(`{"k":"end","state":"completed"}` + "\n")
	if got := g.text("/metrics"); !strings.Contains(got, "tare_run_ended 1\n") {
		t.Errorf("%s", got)
	}
}

// TestBenchMetrics: forks done and planned, and medians with their intervals.
func TestBenchMetrics(t *testing.T) {
	g := start(t, live.Setup{})
	g.write(`{"k":"run","v":1,"kind":"bench","tare":"devel","seed":"7","config":{"forks":3,"confidence":0.95}}` + "\n")
	g.write(`{"k":"bin","id":1,"pkg":"p","sha256":"00","size":1}` + "\n" + `{"k":"case","id":1,"pkg":"p","name":"Sort","bin":1,"procs":1,"mode":"N","n":10,"wall":1000}` + "\n")
	for _, fork := range []string{`"id":1`, `"id":2`} {
		g.write(`{"k":"sample",` + strings.Replace(fork, "id", "fork", 1) + `,"iter":1,"phase":"measure","t":100,"wall":100,"ns":10,"ops":10,"v":{"ns/op":5,"B/op":16}}` + "\n" +
			`{"k":"fork",` + fork + `,"case":1,"bin":1,"round":1,"purpose":"timing","start":1,"wall":200,"exit":"0","state":"ok"}` + "\n")
	}
	g.say(live.Message{Record: g.path})
	text := g.text("/metrics")
	for _, want := range []string{
		"tare_bench_forks_done 2\n", "tare_bench_forks_planned 3\n",
		`tare_bench_median{package="p",benchmark="Sort",procs="1",unit="ns/op"} 5`, `tare_bench_median{package="p",benchmark="Sort",procs="1",unit="B/op"} 16`,
		`tare_bench_interval_high{package="p",benchmark="Sort",procs="1",unit="ns/op"} +Inf`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}
