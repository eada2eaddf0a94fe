package cli

import (
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/kv/mem"
	"github.com/tarebench/tare/load/kv/mock"
	"github.com/tarebench/tare/load/kv/redis"
	"github.com/tarebench/tare/record"
)

func testBindings() []kv.Binding {
	return []kv.Binding{mem.Binding(), mock.Binding(), redis.Binding()}
}

// planOf is the plan of a command line.
func planOf(t *testing.T, args ...string) (*loadPlan, *loadFlags, error) {
	t.Helper()
	f, fl := &loadFlags{}, pflag.NewFlagSet("load", pflag.ContinueOnError)
	f.registerWhat(fl, testBindings())
	f.registerSchedule(fl)
	f.registerHow(fl, 5*time.Second)
	f.registerShow(fl)
	if err := fl.Parse(args); err != nil {
		t.Fatal(err)
	}
	p, err := f.plan(fl, testBindings())
	return p, f, err
}

// TestYCSBClientProperties: a command line of YCSB means here what it means there,
// and flags win.
func TestYCSBClientProperties(t *testing.T) {
	base := []string{"--workload", "a", "--db", "mem"}
	p, f, err := planOf(t, append(base, "-p", "threadcount=7", "-p", "target=250", "-p", "operationcount=5000", "-p", "recordcount=123", "-p", "status.interval=2", "-p", "measurement.interval=op")...)
	if err != nil {
		t.Fatal(err)
	}
	c := p.run
	if c.Workers != 7 || c.Auto || c.Schedule.Rate != 250 || c.Operations != 5000 || c.Duration != 0 || p.workload.RecordCount != 123 || c.Interval != 2*time.Second || p.latency != latencyOp {
		t.Errorf("%+v, %d records, %s", c, p.workload.RecordCount, p.latency)
	}
	if p.workload.OperationCount != 5000 || f.duration != 0 {
		t.Errorf("%d operations", p.workload.OperationCount)
	}
	p, _, err = planOf(t, append(base, "-p", "threadcount=7", "-p", "maxexecutiontime=3", "--workers", "2", "--records", "9", "-p", "recordcount=123")...)
	if err != nil || p.run.Workers != 2 || p.run.Duration != 3*time.Second || p.workload.RecordCount != 9 {
		t.Errorf("%+v, %v", p.run, err)
	}
	p, _, err = planOf(t, append(base, "--duration", "4s", "-p", "operationcount=5")...)
	if err != nil || p.run.Duration != 4*time.Second || p.run.Operations != 0 {
		t.Errorf("a flag should win: %+v, %v", p.run, err)
	}
	// The workloads that are built in say 1000 operations, which ends nothing.
	if p, _, err = planOf(t, base...); err != nil || p.run.Operations != 0 || p.run.Duration != 10*time.Second {
		t.Errorf("%+v, %v", p.run, err)
	}
}

// TestPlanDefaults: a worker for every operation that is due, one in a closed loop.
func TestPlanDefaults(t *testing.T) {
	p, _, err := planOf(t, "--workload", "c", "--db", "mock", "--rate", "10")
	if err != nil || !p.run.Auto || p.settings.Workers != 1000 || p.workload.OperationCount != 150 {
		t.Errorf("%+v, %v, %d operations expected", p.run, err, p.workload.OperationCount)
	}
	p, _, err = planOf(t, "--workload", "c", "--db", "mock")
	if err != nil || p.run.Auto || p.run.Workers != 1 {
		t.Errorf("%+v, %v", p.run, err)
	}
	p, _, err = planOf(t, "--workload", "c", "--db", "mock", "--steps", "10:1s,20:2s")
	if err != nil || p.run.Duration != 3*time.Second {
		t.Errorf("%+v, %v", p.run, err)
	}
}

// TestPlanTellsAll: what contradicts is told at once.
func TestPlanTellsAll(t *testing.T) {
	_, _, err := planOf(t, "--workload", "c", "--db", "mock", "--rate", "0", "--workers", "x", "--slo", "p99", "--latency", "all", "--interval", "0s", "--seed", "zz", "--on-late", "never", "-p", "threadcount=many")
	f := (*exit.Error)(nil)
	if !errors.As(err, &f) || f.Code != exit.Misuse {
		t.Fatal(err)
	}
	for _, want := range []string{"--rate", "--slo", "--latency", "--interval", "--seed", "threadcount=many"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%s is not told: %v", want, err)
		}
	}
}

// TestSecretsStay: nothing that a plan shows, records or complains with holds a
// secret.
func TestSecretsStay(t *testing.T) {
	const secret = "hunter2-geheim"
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	p, _, err := planOf(t, "--workload", "c", "--db", "redis://u:"+secret+"@127.0.0.1:1", "-p", "redis.password="+secret, "-p", "postgres.dsn=host=x password="+secret)
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for k, v := range p.shown() {
		shown = append(shown, k+"="+v)
	}
	shown = append(shown, maskWords([]string{
		"--db=redis://u:" + secret + "@h/db?sslmode=off", "-predis.password=" + secret, "-p", "redis.password=" + secret, "--property=postgres.dsn=host=x user=y password=" + secret,
		"--db", "postgres://u:" + secret + "@h/?a=b", "-p", "http.header.Authorization=Bearer " + secret,
	}, p.mask)...)
	shown = append(shown, p.clean(errors.New("cannot log in with "+secret)).Error(), p.mask("AUTH "+secret+" refused"))
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 20 {
		at := rng.IntN(len("some text ")) + 1
		shown = append(shown, p.mask("some text "[:at]+secret+"some text "[at:]))
	}
	for _, s := range shown {
		if strings.Contains(s, secret) {
			t.Errorf("the secret is in %q", s)
		}
	}
}

// TestFullDisk: when the record cannot be written any more the phase is ended, and
// the summary has what was measured, also what came after.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer full.Close()
	stopped := 0
	s := &loadSink{Recorder: session.NewRecorder(full), stop: func() { stopped++ }}
	lines := []record.Line{
		&record.Load{Phase: record.LoadRun, Iter: 1, Length: 1e9, Scheduled: 5, Started: 5, Completed: 5, Workers: 1},
		&record.Hist{Name: "READ", Tag: record.TagService, Iter: 1, Length: 1e9, Unit: "ns", Data: fiveValues(t)},
		&record.Load{Phase: record.LoadRun, Final: true, Length: 1e9, Scheduled: 5, Started: 5, Completed: 5, Workers: 1},
	}
	for _, l := range lines {
		if err := s.Write(l); err != nil {
			t.Errorf("the engine must go on to its end: %v", err)
		}
	}
	sum := s.Result()
	if stopped != 1 || s.failed == nil || sum.Load == nil || sum.Load.Operations != 5 || len(sum.Latencies) != 1 || sum.Latencies[0].Count != 5 {
		t.Errorf("stopped %d times, %v, %+v", stopped, s.failed, sum)
	}
	if !strings.Contains(s.failed.Error(), "/dev/full") || strings.Contains(s.failed.Error(), "resume") {
		t.Error(s.failed)
	}
}

func fiveValues(t *testing.T) []byte {
	var h hist.Histogram
	h.RecordN(1000, 5)
	data, err := h.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestStatusLine(t *testing.T) {
	var h hist.Histogram
	h.RecordN(4_170_000, 100)
	i := &load.Interval{
		Load:      record.Load{Phase: record.LoadRun, Iter: 2, Start: 1e12 + 1e9, Length: 1e9, Asked: 1000, Did: 239, Unsent: 761, Errors: map[string]int64{"timeout": 3, "not_found": 1}},
		Latencies: []load.Latency{{Kind: "READ", Tag: record.TagService, Hist: &h}},
		First:     map[string]string{"timeout": "i/o timeout"},
	}
	s := &loadStatus{w: io.Discard}
	s.begin(record.LoadRun)
	s.start = 1e12
	if got, want := s.line(i), "   run      2s  asked 1000/s  did 239/s  backlog 761  service 4.17ms / 4.17ms / 4.17ms / 4.17ms  not_found +1, timeout +3 (i/o timeout)"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	i.Errors = map[string]int64{"timeout": 5, "not_found": 1}
	if got := s.line(i); !strings.HasSuffix(got, "4.17ms  timeout +2") {
		t.Errorf("the second time: %s", got)
	}
}

func TestShortTime(t *testing.T) {
	for ns, want := range map[int64]string{0: "0ns", 999: "999ns", 1000: "1.00µs", 9996: "10.0µs", 99960: "100µs", 999600: "1.00ms", 45_639_000_000: "45.6s", 1234e9: "1234s"} {
		if got := shortTime(ns); got != want {
			t.Errorf("%d: %s, want %s", ns, got, want)
		}
	}
}

func TestLogTag(t *testing.T) {
	for _, c := range []struct {
		name, kind string
		ycsb       bool
		want       string
	}{
		{"READ", record.TagResponse, false, "READ.response"}, {"READ", record.TagLateness, false, "READ.lateness"}, {"a b,c\n", record.TagService, false, "a_b_c_.service"},
		{"READ", record.TagResponse, true, "Intended-READ"}, {"READ", record.TagService, true, "READ"}, {"READ", record.TagFailed, true, "READ-FAILED"}, {"READ", record.TagLateness, true, ""},
	} {
		if got, ok := logTag(c.name, c.kind, c.ycsb); got != c.want || ok != (c.want != "") {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

func TestFindBinding(t *testing.T) {
	for db, want := range map[string]string{
		"mock": "mock", "redis://h": "redis", "REDIS://h": "redis",
		"moc": "did you mean: --db mock", "pebble": installFull, "peble": "did you mean: --db pebble", "oracle": "lists what there is", "ftp://x": "lists them", "": "lists what there is",
	} {
		b, _, err := findBinding(testBindings(), db)
		got := ""
		if f := (*exit.Error)(nil); errors.As(err, &f) {
			got = f.Hint
		} else if b != nil {
			got = b.Name
		}
		if !strings.Contains(got, want) {
			t.Errorf("%q: %s; want %s", db, got, want)
		}
	}
}
