//go:build unix

package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

func BenchmarkPipe(b *testing.B) {
	helper(b)
	b.Run("queue/cap=4", func(b *testing.B) {
		q := make(chan int, 4)
		Group(b, Role{Name: "producer", Workers: 2, Body: func(w *Worker) {
			failed := w.Counter("failed offers")
			for w.Next() {
				select {
				case q <- 1:
				case <-w.Done():
					return
				default:
					failed.Inc()
				}
			}
		}}, Role{Name: "consumer", Workers: 1, Body: func(w *Worker) {
			for w.Next() {
				select {
				case <-q:
				case <-w.Done():
					return
				}
			}
		}})
	})
	b.Run("run", func(b *testing.B) {
		var sink []byte
		Run(b, func(w *Worker) {
			for w.Next() {
				sink = make([]byte, 64)
			}
		}, Bytes(64))
		_ = sink
	})
	b.Run("sample", func(b *testing.B) { Sample(b, func(w *Worker) { loop(w) }) })
	b.Run("rate", func(b *testing.B) { Rate(b, 1000, loop) })
	b.Run("missed", func(b *testing.B) {
		Rate(b, 1000, func(w *Worker) {
			for w.Next() {
				time.Sleep(5 * time.Millisecond)
			}
		})
	})
	b.Run("shot", func(b *testing.B) { SingleShot(b, func() { Work(1000) }) })
	b.Run("fails", func(b *testing.B) { Run(b, func(*Worker) {}) })
}

// received is what came through a pipe, by benchmark.
type received struct {
	hello    []string
	announce map[string]announceLine
	marks    map[string][]markLine
	lines    map[string][]record.Line // of the benchmark announced last
}

func receive(t *testing.T, text []byte) received {
	t.Helper()
	h := received{announce: map[string]announceLine{}, marks: map[string][]markLine{}, lines: map[string][]record.Line{}}
	var d record.LineDecoder
	last := ""
	for line := range bytes.Lines(text) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			t.Errorf("half a line: %q", line)
		}
		l, err := d.Decode(bytes.TrimSpace(line))
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		raw, ok := l.(*record.Raw)
		switch {
		case !ok:
			h.lines[last] = append(h.lines[last], l)
		case raw.Kind == "hello":
			h.hello = append(h.hello, string(line))
		case raw.Kind == "announce":
			var a announceLine
			if err := json.Unmarshal(line, &a); err != nil {
				t.Error(err)
			}
			if _, twice := h.announce[a.Name]; twice {
				t.Errorf("%s is announced twice", a.Name)
			}
			h.announce[a.Name], last = a, a.Name
		case raw.Kind == "mark":
			var m markLine
			if err := json.Unmarshal(line, &m); err != nil {
				t.Error(err)
			}
			h.marks[m.Name] = append(h.marks[m.Name], m)
		default:
			t.Errorf("kind %q", raw.Kind)
		}
	}
	return h
}

// shape is what of a benchmark's lines must not change: kinds, phases, roles and
// units.
func (h received) shape(name string) []string {
	var out []string
	for _, l := range h.lines[name] {
		switch l := l.(type) {
		case *record.Sample:
			var units []string
			for _, v := range l.V {
				units = append(units, v.Unit)
			}
			out = append(out, fmt.Sprintf("sample %d %s %s: %s", l.Iter, l.Phase, l.Role, strings.Join(units, " ")))
		case *record.Hist:
			out = append(out, fmt.Sprintf("hist %d %s %s", l.Iter, l.Role, l.Tag))
		case *record.Overhead:
			out = append(out, "tare")
		case *record.Warn:
			out = append(out, "warn "+l.About+" "+l.Code)
		}
	}
	return out
}

// withPipe runs benchmarks with a pipe as descriptor 3 and returns what came
// through it.
func withPipe(t *testing.T, pattern string, args ...string) (ran, []byte) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := command(pattern, args...)
	cmd.Env = append(cmd.Env, pipeVar+"=3")
	cmd.ExtraFiles = []*os.File{w}
	text := make(chan []byte)
	go func() {
		b, _ := io.ReadAll(r)
		text <- b
	}()
	out := runCommand(t, cmd)
	w.Close()
	return out, <-text
}

func TestPipe(t *testing.T) {
	var out ran
	var text []byte
	var h received
	testutil.Retry(t, func(int) error { // a rate is missed where the machine stands still, and few operations pay for what the runtime allocates
		out, text = withPipe(t, "^BenchmarkPipe$", "-test.benchtime=20ms", "-test.count=2", "-test.benchmem")
		h = receive(t, text)
		if wrong := append(h.wrongShapes(), h.wrongAllocations()...); len(wrong) > 0 {
			return fmt.Errorf("%s\n%s\n%s", strings.Join(wrong, "\n"), text, out.out)
		}
		return nil
	})
	if len(h.hello) != 1 || !bytes.HasPrefix(text, []byte(`{"k":"hello","v":1,"from":"bench"}`+"\n")) {
		t.Errorf("hello: %q, and it begins with %.60q", h.hello, text)
	}
	for name, a := range h.announce {
		want := announceLine{K: "announce", Name: name, Mode: "time", Seed: defaultSeed}
		switch name {
		case "Pipe/shot":
			want.Mode, want.Shot = "N", true
		case "Pipe/queue/cap=4":
			want.Roles = []string{"producer", "consumer"}
		}
		if a.Units = nil; fmt.Sprint(a) != fmt.Sprint(want) {
			t.Errorf("%+v, want %+v", a, want)
		}
	}
	if u := h.announce["Pipe/queue/cap=4"].Units["op/s"]; u.Better != record.Higher {
		t.Errorf("op/s is announced as %+v", u)
	}
	checkWindows(t, h)
	checkSame(t, h, out)
	if t.Failed() {
		t.Logf("%s\n%s", text, out.out)
	}
}

// wrongShapes are those of TestPipe's benchmarks that are not as they should be.
func (h received) wrongShapes() (wrong []string) {
	latencies := "p50-ns p90-ns p99-ns p99.9-ns max-ns"
	paced := "ns/op op/s " + latencies + " service-ns/op service-p99-ns lateness-p50-ns lateness-p99-ns B/op allocs/op"
	for name, want := range map[string][]string{
		"Pipe/queue/cap=4": {
			"sample 1 baseline : ns/op",
			"sample 1 measure producer: op/s failed-offers/op", "sample 1 measure consumer: op/s", "sample 1 measure : op/s B/op allocs/op",
			"sample 2 measure producer: op/s failed-offers/op", "sample 2 measure consumer: op/s", "sample 2 measure : op/s B/op allocs/op",
		},
		"Pipe/run": {
			"sample 1 baseline : ns/op",
			"sample 1 measure : ns/op MB/s B/op allocs/op", "sample 2 measure : ns/op MB/s B/op allocs/op",
		},
		"Pipe/sample": {
			"sample 1 baseline : ns/op", "tare",
			"sample 1 measure : ns/op " + latencies + " B/op allocs/op", "hist 1  service",
			"sample 2 measure : ns/op " + latencies + " B/op allocs/op", "hist 2  service",
		},
		"Pipe/rate": {
			"sample 1 measure : " + paced, "hist 1  response", "hist 1  service", "hist 1  lateness",
			"sample 2 measure : " + paced, "hist 2  response", "hist 2  service", "hist 2  lateness",
		},
		"Pipe/shot":  {"sample 1 measure : ns/op B/op allocs/op"},
		"Pipe/fails": nil,
	} {
		got := slices.DeleteFunc(h.shape(name), func(s string) bool { // who shares a processor may not have been weighed
			return s == "sample 1 baseline producer: ns/op" || s == "sample 1 baseline consumer: ns/op"
		})
		if !slices.Equal(got, want) {
			wrong = append(wrong, fmt.Sprintf("%s:\n got %q\nwant %q", name, got, want))
		}
	}
	if got := strings.Join(h.shape("Pipe/missed"), ", "); strings.Count(got, "warn case rate-missed") != 1 {
		wrong = append(wrong, "warnings of a missed rate: "+got)
	}
	return wrong
}

// wrongAllocations compares the reported allocations of an operation with the 64 bytes that it allocates.
func (h received) wrongAllocations() (wrong []string) {
	for _, l := range h.lines["Pipe/run"] {
		if s, ok := l.(*record.Sample); ok && s.Phase == record.PhaseMeasure {
			b, _ := s.V.Get("B/op")
			n, _ := s.V.Get("allocs/op")
			if b < 64 || b > 64.5 || n < 1 || n > 1.01 {
				wrong = append(wrong, fmt.Sprintf("an operation that allocates 64 bytes: %v B/op, %v allocs/op", b, n))
			}
		}
	}
	return wrong
}

// checkWindows compares samples, marks and histograms of the same windows.
func checkWindows(t *testing.T, h received) {
	t.Helper()
	for name, lines := range h.lines {
		var iters []int
		for _, l := range lines {
			switch l := l.(type) {
			case *record.Sample:
				if l.Phase == record.PhaseBaseline {
					continue
				}
				if l.Ns <= 0 || l.T <= 0 {
					t.Errorf("%s: %+v", name, l)
				}
				if l.Role != "" {
					continue
				}
				iters = append(iters, l.Iter)
				i := slices.IndexFunc(h.marks[name], func(m markLine) bool { return m.Iter == l.Iter })
				if i < 0 || i+1 >= len(h.marks[name]) {
					t.Errorf("%s: no marks of iteration %d", name, l.Iter)
					continue
				}
				begin, end := h.marks[name][i], h.marks[name][i+1]
				if begin.Ev != "begin" || end.Ev != "end" || end.Ops != l.Ops || end.T != l.T || begin.T >= end.T {
					t.Errorf("%s: marks %+v, %+v of %+v", name, begin, end, l)
				}
			case *record.Hist:
				d, err := hist.Decode(l.Data)
				if err != nil || d.Count() == 0 || l.Length <= 0 || l.Unit != "ns" {
					t.Errorf("%s: %v, %+v", name, err, l)
				}
			}
		}
		for i, iter := range iters {
			if iter != i+1 {
				t.Errorf("%s: iterations %v", name, iters)
			}
		}
	}
}

// checkSame compares what came through the pipe with what testing printed.
func checkSame(t *testing.T, h received, out ran) {
	t.Helper()
	printed := out.results("BenchmarkPipe/queue/cap=4")
	if len(printed) != 2 {
		t.Fatalf("%d lines of the queue", len(printed))
	}
	for _, l := range h.lines["Pipe/queue/cap=4"] {
		s, ok := l.(*record.Sample)
		if !ok || s.Phase != record.PhaseMeasure {
			continue
		}
		prefix := ""
		if s.Role != "" {
			prefix = s.Role + "-"
		} else if printed[s.Iter-1]["N"] != fmt.Sprint(s.Ops) {
			t.Errorf("%d operations, printed %v", s.Ops, printed[s.Iter-1])
		}
		rate, _ := s.V.Get("op/s")
		if got := printed[s.Iter-1][prefix+"op/s"]; rate >= 1000 && got != fmt.Sprintf("%.0f", rate) {
			t.Errorf("%sop/s is %v, printed %s", prefix, rate, got)
		}
	}
}

// TestPipeOfDiscovery is how tare learns what benchmarks there are: each runs
// for one operation, and says what it is.
func TestPipeOfDiscovery(t *testing.T) {
	t.Parallel()
	out, text := withPipe(t, "^BenchmarkPipe$", "-test.benchtime=1x")
	h := receive(t, text)
	if len(h.announce) != 7 {
		t.Errorf("%d are announced", len(h.announce))
	}
	if bytes.Contains(text, []byte("baseline")) {
		t.Error("empty bodies were measured in discovery")
	}
	for _, name := range []string{"Pipe/run", "Pipe/sample", "Pipe/rate", "Pipe/shot"} {
		for _, l := range h.lines[name] {
			if s, ok := l.(*record.Sample); ok && s.Ops != 1 {
				t.Errorf("%s: %+v", name, s)
			}
		}
	}
	if t.Failed() {
		t.Logf("%s\n%s", text, out.out)
	}
}

// TestPipeCounted has the probe of testing, which is no window.
func TestPipeCounted(t *testing.T) {
	t.Parallel()
	out, text := withPipe(t, "^BenchmarkPipe$/^(run|sample)$", "-test.benchtime=5000x", "-test.count=3")
	for name, lines := range receive(t, text).lines {
		n := 0
		for _, l := range lines {
			if s, ok := l.(*record.Sample); ok && s.Phase == record.PhaseMeasure {
				if n++; s.Iter != n || s.Ops != 5000 {
					t.Errorf("%s: %+v", name, s)
				}
			}
		}
		if n != 3 {
			t.Errorf("%s: %d windows, want 3\n%s\n%s", name, n, text, out.out)
		}
	}
}
