package result

import (
	"math"
	"testing"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

// A loadRecord is a record of a load run that is being made up.
type loadRecord struct {
	t     *testing.T
	lines []record.Line
	now   int64 // CLOCK_MONOTONIC
}

func newLoadRecord(t *testing.T, c record.LoadConfig, command ...string) *loadRecord {
	r := &loadRecord{t: t, now: 1e12}
	c.Clock, c.Interval, c.Pace = "tsc", time.Second, "hybrid"
	r.add(&record.Run{
		Version: 1, Tare: "v0.1.0", Start: time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC), Mono: r.now,
		Command: append([]string{"tare", "load"}, command...), Seed: 0x7f3a,
		Config: record.Config{Packages: []string{}, Load: &c},
		Env:    record.Env{OS: "linux", Arch: "amd64", CPU: "AMD EPYC 7B13", Cores: 2, Go: "go1.26.8", GOMAXPROCS: 2},
	})
	r.add(&record.Overhead{Clock: 10.2})
	return r
}

func (r *loadRecord) add(l ...record.Line) { r.lines = append(r.lines, l...) }

// latencies are values by operation and kind.
type latencies map[[2]string][]int64

// interval adds the lines of one interval, its histograms last, as the engine does.
func (r *loadRecord) interval(l record.Load, order [][2]string, v latencies) {
	l.Start = r.now
	r.add(&l)
	for _, k := range order {
		h := hist.New(hist.Config{})
		for _, x := range v[k] {
			h.Record(x)
		}
		data, err := h.Encode()
		must(r.t, err)
		r.add(&record.Hist{Name: k[0], Tag: k[1], Iter: l.Iter, Start: l.Start, Length: l.Length, Unit: "ns", Data: data})
	}
	r.now += l.Length
}

// whole adds the line of a phase that began at start.
func (r *loadRecord) whole(l record.Load, start int64) {
	l.Final, l.Iter, l.Start, l.Length = true, 0, start, r.now-start
	if l.Length > 0 {
		l.Achieved = float64(l.Completed) / (float64(l.Length) / 1e9)
	}
	r.add(&l)
}

func (r *loadRecord) end() []record.Line {
	r.add(&record.Overhead{Steal: 0.004, Load: 1.2}, &record.End{State: record.EndCompleted})
	return r.lines
}

var (
	readResponse = [2]string{"READ", record.TagResponse}
	readService  = [2]string{"READ", record.TagService}
	readLate     = [2]string{"READ", record.TagLateness}
	readFailed   = [2]string{"READ", record.TagFailed}
	updResponse  = [2]string{"UPDATE", record.TagResponse}
	updService   = [2]string{"UPDATE", record.TagService}
	updLate      = [2]string{"UPDATE", record.TagLateness}
)

// overload is one worker that takes S for each operation, asked for R a second:
// response(k) = S + k(S − 1/R). Each of n intervals lasts length.
func (r *loadRecord) overload(phase string, rate float64, service time.Duration, n int, length time.Duration) {
	start, k, end := r.now, int64(0), r.now
	period := 1e9 / rate
	var last record.Load
	for i := range n {
		v := latencies{}
		until := r.now + int64(length)
		for end+int64(service) <= until {
			due := start + int64(float64(k)*period)
			end = max(end, due) + int64(service)
			if end > until {
				break
			}
			v[readResponse] = append(v[readResponse], end-due)
			v[readService] = append(v[readService], int64(service)+k%97*1000)
			k++
		}
		scheduled := int64(math.Round(float64(until-start) / 1e9 * rate))
		unfinished := int64(1)
		if i == n-1 {
			unfinished = 0
		}
		last = record.Load{
			Phase: phase, Iter: i + 1, Length: int64(length), TargetRate: rate, Achieved: float64(len(v[readService])) / length.Seconds(),
			Scheduled: scheduled, Started: k + unfinished, Completed: k, Unsent: scheduled - k - unfinished, Unfinished: unfinished,
			UnsentOldest: until - start - int64(float64(k+unfinished)*period), Workers: 1, CPU: int64(length) / 25 * int64(i+1),
		}
		last.BacklogMax = last.Unsent
		r.interval(last, [][2]string{readResponse, readService}, v)
	}
	r.whole(last, start)
}

// steady is a run that keeps up: every operation takes about d, and one in 100
// ten times that.
func (r *loadRecord) steady(phase string, rate float64, d time.Duration, n int, length time.Duration) {
	start := r.now
	var last record.Load
	done := int64(0)
	for i := range n {
		v := latencies{}
		count := int(rate * length.Seconds())
		for k := range count {
			x := int64(d) + int64(k*7919%1000)*int64(d)/2000
			if k%100 == 99 {
				x *= 10
			}
			op, late, resp := readService, readLate, readResponse
			if k%2 == 1 {
				op, late, resp = updService, updLate, updResponse
			}
			v[op] = append(v[op], x)
			v[resp] = append(v[resp], x+300)
			v[late] = append(v[late], 300+int64(k%50)*100)
		}
		done += int64(count)
		last = record.Load{
			Phase: phase, Iter: i + 1, Length: int64(length), TargetRate: rate, Achieved: float64(count) / length.Seconds(),
			Scheduled: done, Started: done, Completed: done, Workers: 4, CPU: int64(length) / 10 * int64(i+1), BacklogMax: 3,
		}
		r.interval(last, [][2]string{readResponse, readService, readLate, updResponse, updService, updLate}, v)
	}
	r.whole(last, start)
}

func attach(name, text string) *record.Attach {
	return &record.Attach{Name: name, Media: MediaText, Data: []byte(text)}
}

// loadRecords are the records of load runs that the golden files show.
func loadRecords(t *testing.T) map[string][]record.Line {
	truth := record.LoadConfig{DB: "mock", Name: "mock, 4ms", Workload: "c", Arrivals: "constant 1000/s", Rate: 1000, Workers: 1, Warmup: 5 * time.Second, Duration: time.Minute, OnLate: "catch-up", Kinds: []string{"READ"}}
	overloaded := newLoadRecord(t, truth, "--workload", "c", "--db", "mock", "-p", "mock.delay=4ms", "--rate", "1000", "--workers", "1", "--duration", "60s")
	overloaded.overload(record.LoadWarmup, 1000, 4*time.Millisecond, 1, 5*time.Second)
	overloaded.overload(record.LoadRun, 1000, 4*time.Millisecond+180*time.Microsecond, 4, 15*time.Second)

	return map[string][]record.Line{
		"overload": overloaded.end(),
		"cut":      overloaded.lines[:len(overloaded.lines)-4],
		"steady":   steadyRecord(t),
		"closed":   closedRecord(t),
		"dropped":  droppedRecord(t),
		"search":   searchRecord(t),
		"sweep":    sweepRecord(t),
		"hostile":  hostileRecord(t),
		"hanging":  hangingRecord(t, false, true),
		"marked":   markedRecord(t),
		"nothing":  newLoadRecord(t, truth).lines,

		"agents":       agentsRecord(t, nil),
		"agents-lost":  agentsRecord(t, func(all []*madeAgent) { all[1].lostAfter = 4 }),
		"agents-noisy": agentsRecord(t, makeNoisy),
	}
}

func steadyRecord(t *testing.T) []record.Line {
	r := newLoadRecord(t, record.LoadConfig{
		DB: "bolt", Name: "bolt 1.4.3", Notes: []string{"sync=false: commits are not flushed to disk", "an update of some fields reads the others first, inside the operation"},
		Workload: "a", Arrivals: "poisson 500/s", Rate: 500, Workers: 1, AutoWorkers: 1000, Records: 1000, Warmup: 2 * time.Second, Duration: 4 * time.Second, OnLate: "catch-up", Kinds: []string{"READ", "UPDATE"},
	}, "--workload", "a", "--db", "bolt", "--rate", "500/s", "--arrivals", "poisson", "--slo", "p99<1ms", "--slo", "errors<0.1%")
	r.add(attach(AttachSLO, "p99<1ms\nREAD p50<300us\nerrors<0.1%\nrate>=99%\n"))
	start := r.now
	r.now += 14e6
	r.whole(record.Load{Phase: record.LoadInsert, Scheduled: 1000, Started: 1000, Completed: 1000, Workers: 1}, start)
	r.steady(record.LoadWarmup, 500, 200*time.Microsecond, 1, 2*time.Second)
	r.steady(record.LoadRun, 500, 200*time.Microsecond, 2, 2*time.Second)
	last := r.lines[len(r.lines)-1].(*record.Load)
	last.Errors = map[string]int64{"not_found": 2, "timeout": 3, "reset": 1}
	h := hist.New(hist.Config{})
	h.RecordN(int64(time.Second), 4)
	data, err := h.Encode()
	must(t, err)
	at := len(r.lines) - 2
	iter, ok := r.lines[at].(*record.Load)
	for ; !ok; iter, ok = r.lines[at].(*record.Load) {
		at--
	}
	r.lines = append(r.lines[:len(r.lines)-1], &record.Hist{Name: "READ", Tag: record.TagFailed, Iter: iter.Iter, Start: iter.Start, Length: iter.Length, Unit: "ns", Data: data}, last)
	r.add(
		&record.Warn{About: record.AboutRun, Code: diagnosis.FirstError, Text: "timeout: read tcp 127.0.0.1:40112->127.0.0.1:6379: i/o timeout"},
		&record.Warn{About: record.AboutRun, Code: diagnosis.FirstError, Text: "reset: write tcp 127.0.0.1:40112->127.0.0.1:6379: connection reset by peer"},
		&record.Warn{About: record.AboutRun, Code: "clock-backwards", Text: "the clock went back 2 times", Advice: "tare doctor tells about clocks"})
	return r.end()
}

func closedRecord(t *testing.T) []record.Line {
	r := newLoadRecord(t, record.LoadConfig{DB: "mock", Workload: "c", Arrivals: "closed loop", Workers: 2, Duration: 2 * time.Second, Kinds: []string{"READ"}}, "--workload", "c", "--workers", "2")
	r.add(attach(AttachSLO, "p99<1us\nrate>99%\nUPDATE p50<1ms\n"))
	v := latencies{}
	for k := range 2000 {
		v[readService] = append(v[readService], int64(8+k%40))
	}
	v[readFailed] = []int64{1_000_000}
	l := record.Load{Phase: record.LoadRun, Iter: 1, Length: 2e9, Achieved: 5_480_000, Scheduled: 2001, Started: 2001, Completed: 2001, Workers: 2, CPU: 39e8, Errors: map[string]int64{"server": 1}}
	r.interval(l, [][2]string{readService, readFailed}, v)
	r.whole(l, r.now-2e9)
	return r.end()
}

// droppedRecord has the histograms in front of the line of their interval.
func droppedRecord(t *testing.T) []record.Line {
	r := newLoadRecord(t, record.LoadConfig{DB: "redis", Name: "redis 8.0 at 127.0.0.1:6379", Workload: "c", Arrivals: "constant 100/s", Rate: 100, Workers: 2, Duration: time.Second, OnLate: "skip=10ms", Pace: "spin", Kinds: []string{"READ"}}, "--on-late", "skip=10ms")
	r.add(attach(AttachSLO, "p90<100ms\n"))
	v := latencies{}
	for k := range 60 {
		v[readService] = append(v[readService], int64(20+k)*1e6)
		v[readResponse] = append(v[readResponse], int64(22+k)*1e6)
	}
	l := record.Load{Phase: record.LoadRun, Iter: 1, Length: 1e9, TargetRate: 100, Achieved: 60, Scheduled: 100, Started: 61, Completed: 60, Unfinished: 1, UnfinishedOldest: 5e9, Dropped: 39, Workers: 2, CPU: 2e7, BacklogMax: 4}
	at := len(r.lines)
	r.interval(l, [][2]string{readResponse, readService}, v)
	r.lines[at], r.lines[at+1], r.lines[at+2] = r.lines[at+1], r.lines[at+2], r.lines[at]
	r.whole(l, r.now-1e9)
	return r.end()
}

func searchRecord(t *testing.T) []record.Line {
	r := newLoadRecord(t, record.LoadConfig{DB: "mock", Workload: "a", Arrivals: "search from 100/s", Workers: 1, AutoWorkers: 1000, Duration: 2 * time.Second, Kinds: []string{"READ", "UPDATE"}}, "search", "--slo", "p99<2.5ms")
	r.add(attach(AttachSLO, "p99<2.5ms\n"), attach(AttachSteps, SteppedSearch))
	for _, rate := range []float64{100, 200, 400, 300, 300} {
		d := 100 * time.Microsecond
		if rate > 300 {
			d = 200 * time.Microsecond
		}
		r.steady(record.LoadWarmup, rate, d, 1, time.Second)
		r.steady(record.LoadRun, rate, d, 1, 2*time.Second)
	}
	return r.end()
}

func sweepRecord(t *testing.T) []record.Line {
	r := newLoadRecord(t, record.LoadConfig{DB: "mock", Workload: "c", Arrivals: "sweep 100, 400, 1000/s", Workers: 1, Duration: 2 * time.Second, Kinds: []string{"READ"}}, "sweep", "--rates", "100,400,1000")
	r.add(attach(AttachSteps, SteppedSweep))
	for _, rate := range []float64{100, 400, 1000} {
		r.overload(record.LoadRun, rate, 4*time.Millisecond, 1, 2*time.Second)
	}
	return r.end()
}

func hostileRecord(t *testing.T) []record.Line {
	evil := "a|b`<c>\x1b[31m\u202e*\n"
	r := newLoadRecord(t, record.LoadConfig{DB: evil, Name: evil, Notes: []string{evil}, Workload: evil, Arrivals: evil, Rate: 10, Workers: 1, OnLate: evil, Pace: evil, Kinds: []string{evil}}, evil)
	k := [2]string{evil, record.TagService}
	l := record.Load{Phase: record.LoadRun, Iter: 1, Length: 1e9, TargetRate: 10, Achieved: 10, Scheduled: 10, Started: 10, Completed: 10, Workers: 1, Errors: map[string]int64{evil: 9}}
	r.interval(l, [][2]string{k, {evil, evil}}, latencies{k: {1, math.MaxInt64}, {evil, evil}: {1}})
	r.add(&record.Agent{Name: evil, Host: evil, Phase: record.LoadRun, Step: 1, Weight: 1, Cores: 1, CoresUsed: 1e6, State: record.AgentLost, Why: evil, Lost: 1 << 60, Missing: 1 << 40, At: 1 << 61, Achieved: -math.MaxFloat64, OffsetError: 1 << 60, StartLate: -1 << 60})
	r.add(&record.Agent{Name: "b", Phase: record.LoadRun, Step: 1, Weight: 1 << 60, State: evil, Lateness: &record.AgentTimes{Count: 1 << 60, P99: math.MinInt64, Max: 1}})
	l.Lost = 3
	r.whole(l, r.now-1e9)
	r.add(&record.Hist{Name: "READ", Tag: "service", Iter: 7, Start: 5, Unit: "ns", Data: []byte("rubbish")}, &record.Load{Phase: record.LoadRun, Iter: 7, Start: 5, Length: -1, Scheduled: -5, Completed: 1 << 62, TargetRate: math.MaxFloat64})
	r.add(&record.Warn{About: record.AboutRun, Code: diagnosis.FirstError, Text: evil + ": " + evil})
	return r.end()
}
