package loadrun

import (
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/result"
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

// planOf returns the plan of a job of workload c; given are the options that were given.
func planOf(t *testing.T, db string, change func(*job.Load), given ...string) (*Plan, error) {
	t.Helper()
	return planFor(db, change, Program{Bindings: testBindings()}, given...)
}

func planFor(db string, change func(*job.Load), c Program, given ...string) (*Plan, error) {
	j := job.DefaultLoad()
	j.Workload, j.DB, j.Given = "c", db, job.Given{}
	for _, name := range given {
		j.Given[name] = true
	}
	change(&j)
	return NewPlan(j, c)
}

// TestYCSBClientProperties: a command line of YCSB means here what it means there,
// and flags win.
func TestYCSBClientProperties(t *testing.T) {
	p, err := planOf(t, "mem", func(o *job.Load) {
		o.Workload, o.Properties = "a", []string{"threadcount=7", "target=250", "operationcount=5000", "recordcount=123", "status.interval=2", "measurement.interval=op"}
	})
	if err != nil {
		t.Fatal(err)
	}
	c := p.Run
	if c.Workers != 7 || c.AutoWorkers || c.Schedule.Rate != 250 || c.Operations != 5000 || c.Duration != 0 || p.Workload.RecordCount != 123 || c.Interval != 2*time.Second || p.Job.Latency != result.LatencyOp {
		t.Errorf("%+v, %d records, %s", c, p.Workload.RecordCount, p.Job.Latency)
	}
	if p.Workload.OperationCount != 5000 {
		t.Errorf("%d operations", p.Workload.OperationCount)
	}
	p, err = planOf(t, "mem", func(o *job.Load) {
		o.Properties = []string{"threadcount=7", "maxexecutiontime=3", "recordcount=123"}
		o.Workers, o.Records = "2", 9
	}, "workers", "records")
	if err != nil || p.Run.Workers != 2 || p.Run.Duration != 3*time.Second || p.Workload.RecordCount != 9 {
		t.Errorf("%+v, %v", p.Run, err)
	}
	p, err = planOf(t, "mem", func(o *job.Load) { o.Duration, o.Properties = 4*time.Second, []string{"operationcount=5"} }, "duration")
	if err != nil || p.Run.Duration != 4*time.Second || p.Run.Operations != 0 {
		t.Errorf("a flag should win: %+v, %v", p.Run, err)
	}
	// The built-in workloads say 1000 operations, which ends nothing.
	if p, err = planOf(t, "mem", func(*job.Load) {}); err != nil || p.Run.Operations != 0 || p.Run.Duration != 10*time.Second {
		t.Errorf("%+v, %v", p.Run, err)
	}
}

// TestPlanDefaults: a worker for every operation that is due, one in a closed loop.
func TestPlanDefaults(t *testing.T) {
	p, err := planOf(t, "mock", func(o *job.Load) { o.Rate = "10" })
	if err != nil || !p.Run.AutoWorkers || p.settings.Workers != 1000 || p.Workload.OperationCount != 150 {
		t.Errorf("%+v, %v, %d operations expected", p.Run, err, p.Workload.OperationCount)
	}
	p, err = planOf(t, "mock", func(*job.Load) {})
	if err != nil || p.Run.AutoWorkers || p.Run.Workers != 1 {
		t.Errorf("%+v, %v", p.Run, err)
	}
	p, err = planOf(t, "mock", func(o *job.Load) { o.Steps = "10:1s,20:2s" })
	if err != nil || p.Run.Duration != 3*time.Second {
		t.Errorf("%+v, %v", p.Run, err)
	}
}

// TestPlanReportsAll: an error names everything that is wrong.
func TestPlanReportsAll(t *testing.T) {
	_, err := planOf(t, "mock", func(o *job.Load) {
		o.Rate, o.Workers, o.Objectives, o.Latency, o.Interval, o.Seed, o.OnLate = "0", "x", []string{"p99"}, "all", 0, "zz", "never"
		o.Properties = []string{"threadcount=many"}
	}, "workers", "status-interval")
	if e := exit.As(err); e == nil || e.Code != exit.Misuse {
		t.Fatal(err)
	}
	for _, want := range []string{"--rate", "--slo", "--latency", "--status-interval", "--seed", "threadcount=many"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%s is missing: %v", want, err)
		}
	}
}

// TestSecretsStay: nothing that a plan shows, records or reports holds a secret.
func TestSecretsStay(t *testing.T) {
	const secret = "hunter2-geheim"
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	p, err := planOf(t, "redis://u:"+secret+"@127.0.0.1:1", func(o *job.Load) {
		o.Properties = []string{"redis.password=" + secret, "postgres.dsn=host=x password=" + secret}
	})
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for k, v := range p.ShownProperties() {
		shown = append(shown, k+"="+v)
	}
	shown = append(shown, redact.Args([]string{
		"--db=redis://u:" + secret + "@h/db?sslmode=off", "-predis.password=" + secret, "-p", "redis.password=" + secret, "--property=postgres.dsn=host=x user=y password=" + secret,
		"--db", "postgres://u:" + secret + "@h/?a=b", "-p", "http.header.Authorization=Bearer " + secret,
	})...)
	shown = append(shown, p.clean(errors.New("cannot log in with "+secret)).Error(), p.Redact("AUTH "+secret+" refused"))
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 20 {
		at := rng.IntN(len("some text ")) + 1
		shown = append(shown, p.Redact("some text "[:at]+secret+"some text "[at:]))
	}
	for _, s := range shown {
		if strings.Contains(s, secret) {
			t.Errorf("the secret is in %q", s)
		}
	}
}

// TestFullDisk: when the record cannot be written any more the phase is ended, and
// the result has what was measured, also what came after.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer full.Close()
	stopped := 0
	s := &recorder{Recorder: session.NewRecorder(full), cancel: func() { stopped++ }}
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
	if stopped != 1 || s.err == nil || sum.Load == nil || sum.Load.Operations != 5 || len(sum.Latencies) != 1 || sum.Latencies[0].Count != 5 {
		t.Errorf("stopped %d times, %v, %+v", stopped, s.err, sum)
	}
	if !strings.Contains(s.err.Error(), "/dev/full") || strings.Contains(s.err.Error(), "resume") {
		t.Error(s.err)
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

func TestFindBinding(t *testing.T) {
	for db, want := range map[string]string{
		"mock": "mock", "redis://h": "redis", "REDIS://h": "redis",
		"moc": "did you mean: --db mock", "pebble": "--db pebble needs tare-full", "grpcs://h/d": "--db grpc needs tare-full", "peble": "did you mean: --db pebble", "oracle": "lists what there is", "ftp://x": "lists them", "": "lists what there is",
	} {
		b, _, err := FindBinding(testBindings(), db)
		got := ""
		if e := exit.As(err); e != nil {
			got = e.Hint
		} else if err != nil {
			got = err.Error()
		} else if b != nil {
			got = b.Name
		}
		if !strings.Contains(got, want) {
			t.Errorf("%q: %s; want %s", db, got, want)
		}
	}
}

// TestStatusHostile: what a server answers is shown without secrets and nothing of it is obeyed.
func TestStatusHostile(t *testing.T) {
	var out strings.Builder
	progress, err := session.NewProgress(&out, "plain")
	if err != nil {
		t.Fatal(err)
	}
	redact.AddPairs([]string{"password=hunter2"})
	s := NewStatus(&out, progress)
	s.begin(&load.Config{Phase: record.LoadRun}, (&Plan{}).Redact)
	s.show(&load.Interval{
		Load:  record.Load{Phase: record.LoadRun, Iter: 1, Length: 1e9, Errors: map[string]int64{"ERR\x1b[2J": 1}},
		First: map[string]string{"ERR\x1b[2J": "ERR \x1b]0;x\x07\u009b\r\nhunter2 redis://u:hunter3@h"},
	})
	if shown := out.String(); strings.Contains(shown, "hunter") || strings.ContainsAny(shown, "\x1b\x07\u009b\r") || !strings.Contains(shown, `ERR \x1b]0;x\a\u009b; *** redis://u:***@h`) {
		t.Errorf("%q", shown)
	}
}
