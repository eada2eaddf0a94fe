package fork

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"testing"

	"github.com/tarebench/tare/internal/base/clock/cputime"
	"github.com/tarebench/tare/internal/numbers/loss"
	"github.com/tarebench/tare/record"
)

// fakeProcess uses 1 µs of CPU time between two readings, and waits 100 ns between two readings of the delay.
type fakeProcess struct {
	cpu, delay int64
	gone       bool // CPU time is no longer known
	ended      bool // threads have ended
	delays     int  // readings of the delay
}

func (p *fakeProcess) CPU() (int64, bool) {
	p.cpu += 1000
	return p.cpu, !p.gone
}

func (p *fakeProcess) Delay() (int64, bool) {
	p.delays++
	p.delay += 100
	return p.delay, !p.ended
}

const ms = int64(1e6)

func figure(i int) string { return fmt.Sprintf("BenchmarkA \t %d\t 5.000 ns/op\n", i) }

// show returns what is known from outside of each result of an output.
func outside(o *output) (got []string) {
	for _, s := range samples(1, o.done().results, 0, 0, 1<<62) {
		text := fmt.Sprintf("%d/%d/%d", s.Wall/1000, s.CPU, s.Delay)
		if s.Batched {
			text += " batched"
		}
		got = append(got, text)
	}
	return got
}

// TestMeter: each result has the CPU time and the delay since the one before it; what is not known is 0.
func TestMeter(t *testing.T) {
	type piece struct {
		at   int64 // µs
		text string
	}
	two := figure(1) + figure(2)
	for _, test := range []struct {
		name   string
		change func(p *fakeProcess, piece int)
		pieces []piece
		want   string
		delays int
	}{
		{"usual", nil, []piece{{5000, figure(1)}, {9000, figure(2)}, {12000, figure(3)}}, "[5000/1000/100 4000/1000/100 3000/1000/100]", 3},
		{"other output", nil, []piece{{5000, figure(1)}, {6000, "hello\n"}, {9000, figure(2)}}, "[5000/1000/100 4000/2000/100]", 2},
		{"in pieces", nil, []piece{{5000, "Bench"}, {6000, "markA \t 1\t 5.000 ns/op"}, {7000, "\n"}}, "[7000/3000/100]", 1},
		{"two at once", nil, []piece{{5000, two}, {9000, figure(3)}}, "[5000/1000/100 batched 0/0/1 batched 4000/1000/100]", 2},
		{"quickly", nil, []piece{{5000, figure(1)}, {5100, figure(2)}, {5900, figure(3)}, {6000, figure(4)}}, "[5000/1000/100 100/1000/1 800/1000/1 100/1000/100]", 2},
		{"gone", func(p *fakeProcess, i int) { p.gone = i == 1 }, []piece{{5000, figure(1)}, {9000, figure(2)}, {12000, figure(3)}}, "[5000/1000/100 4000/0/100 3000/0/100]", 3},
		{"a thread has ended", func(p *fakeProcess, i int) { p.ended = i == 1 }, []piece{{5000, figure(1)}, {9000, figure(2)}, {12000, figure(3)}}, "[5000/1000/100 4000/1000/0 3000/1000/100]", 3},
	} {
		p := &fakeProcess{}
		o := &output{parser: parser{procs: 1}, meter: meter{process: p}}
		for i, x := range test.pieces {
			if test.change != nil {
				test.change(p, i)
			}
			o.meter.read()
			o.add([]byte(x.text), x.at*1000)
		}
		o.flush()
		if got := fmt.Sprint(outside(o)); got != test.want || p.delays != test.delays {
			t.Errorf("%s: %s, %d readings of the delay; want %s, %d", test.name, got, p.delays, test.want, test.delays)
		}
	}
	var o output
	o.procs = 1
	o.add([]byte(figure(1)), 5*ms)
	if got := fmt.Sprint(outside(&o)); got != "[5000/0/0]" {
		t.Errorf("without a process: %s", got)
	}
}

// TestRunUsage: timed and calibration forks have the CPU time of each iteration; profiled ones do not.
func TestRunUsage(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the CPU time of another process is known on Linux only")
	}
	h := newHostile(t)
	for _, purpose := range []string{record.PurposeTiming, record.PurposePilot, "mem"} {
		s := h.spec("Loop", 2)
		s.Benchtime, s.Purpose = "100x", purpose
		var out *Outcome
		// Where the process has ended before its last result is read, its CPU time is no longer known.
		for try := 0; try < 50; try++ {
			out = h.fork(t, s)
			if record.OfProfiler(purpose) || !slices.ContainsFunc(out.Samples, func(x *record.Sample) bool { return x.CPU == 0 }) {
				break
			}
		}
		checkUsage(t, purpose, out)
	}
}

func checkUsage(t *testing.T, purpose string, out *Outcome) {
	t.Helper()
	var cpu int64
	for _, x := range out.Samples {
		if (x.CPU > 0) == record.OfProfiler(purpose) || x.Delay < 0 {
			t.Errorf("%s: %+v", purpose, x)
		}
		cpu += x.CPU
	}
	share, known := loss.Of(out.Samples, 1)
	if f := out.Fork; known != (f.Lost != nil) || known && (*f.Lost < share-1e-3 || *f.Lost > share+1e-3) || known && record.OfProfiler(purpose) {
		t.Errorf("%s: lost %.4f, known %v, in the fork's line %v", purpose, share, known, f.Lost)
	}
	if used := out.Fork.User + out.Fork.Sys; cpu > used+2000 { // each of the two is cut to whole µs
		t.Errorf("%s: the iterations used %d ns, the process %d", purpose, cpu, used)
	}
}

// BenchmarkMeter is what a result costs beyond its parsing.
func BenchmarkMeter(b *testing.B) {
	p := cputime.Open(os.Getpid())
	defer p.Close()
	m := meter{process: p}
	rs := make([]benchResult, 1)
	for i := 0; b.Loop(); i++ { // one result per microsecond
		m.read()
		m.add(rs, 0, int64(i)*1000)
	}
}
