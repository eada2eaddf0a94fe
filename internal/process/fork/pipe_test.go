package fork

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// noPipes skips a test where a fork can be given no pipe.
func noPipes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no descriptors are passed to children here")
	}
}

// written is what was written to the record, as JSON Lines.
func written(t *testing.T, lines []record.Line) string {
	var b bytes.Buffer
	w := record.NewWriter(&b)
	for _, l := range lines {
		if f, ok := l.(*record.Fork); ok {
			l = &record.Fork{ID: f.ID, State: f.State, Why: f.Why}
		}
		if err := w.Write(l); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// TestPipe: what a fork says on its pipe becomes part of the record, as its own.
func TestPipe(t *testing.T) {
	noPipes(t)
	h := newHostile(t)
	h.SetNextID(11)
	h.Mask = func(s string) string { return strings.ReplaceAll(s, "hunter2", "***") }
	s := h.spec("PipeGood", 1)
	out := h.fork(t, s)
	if out.Fork.State != record.StateOK || out.Fork.ID != 11 {
		t.Fatalf("%s\n%s", out.Fork.Why, out.Fork.Tail)
	}
	if len(out.Samples) != 6 {
		t.Fatalf("%d samples", len(out.Samples))
	}
	for i, s := range out.Samples {
		want := &record.Sample{
			Fork: 11, Iter: i/2 + 1, Phase: "measure", Role: []string{"producer", "consumer"}[i%2], T: int64(i/2)*100 + 150, Wall: s.Wall, Ns: 50, Ops: 5,
			CPU: s.CPU, Delay: s.Delay, Batched: s.Batched, // as seen from outside
			V: s.V,
		}
		if i < 2 {
			want.Phase = "warmup"
		}
		if v, _ := s.V.Get("ns/op"); !reflect.DeepEqual(s, want) || s.Wall < 0 || (i < 2 && s.Wall == 0) || v != 2.5 || len(s.V) != 2 {
			t.Errorf("sample %d: %+v, want %+v", i, s, want)
		}
	}
	var marks []Mark
	for i := range 3 {
		m := Mark{Name: "BenchmarkPipeGood", Iter: i + 1, Phase: "measure", Ev: MarkBegin, T: int64(i)*100 + 100}
		if i == 0 {
			m.Phase = "warmup"
		}
		end := m
		end.Ev, end.T, end.Ops = MarkEnd, m.T+50, 5
		marks = append(marks, m, end)
	}
	if !slices.Equal(out.Marks, marks) {
		t.Errorf("marks %+v", out.Marks)
	}
	got := written(t, h.wrote[6:])
	want := `{"k":"warn","about":"fork","id":11,"code":"coarse","text":"token=***"}
{"k":"warn","about":"case","id":7,"code":"c","text":"t"}
{"k":"warn","about":"run","code":"r","text":"t"}
{"k":"tare","fork":11,"probe":2.5}
`
	for i := range 3 {
		want += fmt.Sprintf(`{"k":"hist","fork":11,"name":"READ","iter":%d,"tag":"service","start":0,"length":0,"unit":"","data":"AA=="}
{"k":"attach","fork":11,"iter":%d,"name":"heap","media":"text/plain","data":"aGk="}
`, i+1, i+1)
	}
	want += written(t, []record.Line{&record.Fork{ID: 11, State: "ok"}})
	if got != want {
		t.Errorf("wrote\n%swant\n%s", got, want)
	}
}

// TestPipePilot: samples of a calibration fork have the wall time that the parent measured.
func TestPipePilot(t *testing.T) {
	noPipes(t)
	h := newHostile(t)
	s := h.spec("PipeGood", 1)
	s.Purpose = record.PurposePilot
	if out := h.fork(t, s); len(out.Samples) != 3 || out.Samples[0].Role != "" || out.Samples[0].Wall <= 0 {
		t.Errorf("samples %+v", out.Samples)
	}
}

// TestPipeTrouble: whatever a fork does with its pipe, it does not fail, is not
// kept waiting, and costs one warning at most.
func TestPipeTrouble(t *testing.T) {
	noPipes(t)
	for _, test := range []struct {
		name    string
		samples int
		warns   []string // codes
		text    string   // of the last
	}{
		{"Work", 3, nil, ""},
		{"PipeWarmup", 3, nil, ""}, // its own samples do not count, ours do
		{"PipeGarbage", 3, []string{"ok", "pipe"}, "14 lines that it wrote to TARE_FD were dropped; the first: line 3: line: invalid character 'g'"},
		{"PipeNoHello", 3, []string{"pipe"}, "3 lines that it wrote to TARE_FD were dropped; the first: line 1: no hello"},
		{"PipeNewer", 3, []string{"pipe"}, "2 lines that it wrote to TARE_FD were dropped; the first: line 1: pipe protocol version 2, this tare supports version 1"},
		{"PipeBig", 0, nil, ""}, // as many as 10 MB hold
		{"PipeClose", 3, nil, ""},
		{"PipeGrandchild", 3, []string{"mine"}, "said"},
		{"OutputGrandchild", 3, nil, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var h *hostile
			var out *Outcome
			testutil.Retry(t, func(int) error {
				h = newHostile(t)
				s := h.spec(test.name, 1)
				start := time.Now()
				out = h.fork(t, s)
				if f := out.Fork; f.State != record.StateOK || f.Why != "" {
					t.Fatalf("%s: %s\n%s", f.State, f.Why, f.Tail)
				}
				d := time.Since(start)
				if !strings.Contains(test.name, "Grandchild") {
					return nil
				}
				if d < outputGrace {
					t.Errorf("took %s", d)
				}
				if d > 4900*time.Millisecond { // the grandchildren live for five seconds
					return fmt.Errorf("took %s", d)
				}
				return nil
			})
			n := len(out.Samples)
			if test.name == "PipeBig" {
				line := len(`{"k":"sample","fork":0,"iter":2,"phase":"measure","t":1,"ns":5,"ops":1,"v":{"ns/op":5}}`) + 1
				test.samples = (10<<20 + 1000*line - 1) / (1000 * line) * 1000
			}
			if n != test.samples {
				t.Errorf("%d samples, want %d", n, test.samples)
			}
			var codes []string
			text := ""
			for _, l := range h.wrote {
				if w, ok := l.(*record.Warn); ok {
					codes, text = append(codes, w.Code), w.Text
					if w.About != record.AboutFork || w.ID != out.Fork.ID {
						t.Errorf("about %s %d", w.About, w.ID)
					}
				}
			}
			if !slices.Equal(codes, test.warns) || !strings.HasPrefix(text, test.text) {
				t.Errorf("warnings %q, the last %q", codes, text)
			}
			if len(h.wrote) != test.samples+len(codes)+1 {
				t.Errorf("wrote %d lines", len(h.wrote))
			}
		})
	}
}

// TestPipeBounded: lines beyond the limit are read and dropped, and a warning says so.
func TestPipeBounded(t *testing.T) {
	line := `{"k":"warn","code":"c","text":"` + strings.Repeat("x", 10_000) + `"}` + "\n"
	p := &pipe{max: 1 << 20}
	p.read(&repeat{block: `{"k":"hello","v":1}` + "\n" + line, n: 6 << 20})
	if len(p.text) != 1<<20 || p.over != 5<<20 || cap(p.text) > 2<<20 {
		t.Fatalf("kept %d of %d, dropped %d", len(p.text), cap(p.text), p.over)
	}
	s := p.decode(&record.Fork{ID: 1})
	w := s.warn(&record.Fork{ID: 1}, nil)
	// The last line is cut off, and more came.
	if len(s.lines) != 104 || s.rejected != 2 || w == nil || !strings.Contains(w.Text, "lines that it wrote") {
		t.Errorf("%d lines, %d refused, %+v", len(s.lines), s.rejected, w)
	}
	p = &pipe{text: []byte(`{"k":"hello","v":1}` + "\n" + `{"k":"attach","name":"` + strings.Repeat("\xff", maxPipeLine) + `"}`)}
	if s = p.decode(&record.Fork{ID: 1}); s.rejected != 1 || !strings.Contains(s.first.Error(), "longer than") {
		t.Errorf("%d lines, %v", len(s.lines), s.first)
	}
	p = &pipe{text: []byte(`{"k":"hello","v":1}`), over: 7}
	if s = p.decode(&record.Fork{ID: 1}); s.rejected != 1 || !strings.Contains(s.first.Error(), "7 bytes came after the first") {
		t.Errorf("%+v", s)
	}
}

// TestPipeSilent: a fork that says nothing costs no line and next to no memory.
func TestPipeSilent(t *testing.T) {
	p := &pipe{max: maxPipeBytes}
	p.read(strings.NewReader(""))
	f := &record.Fork{ID: 1}
	s := p.decode(f)
	if cap(p.text) > 1024 || s.warn(f, nil) != nil || s.lines != nil || s.samples != nil || s.hasMeasurements() {
		t.Errorf("%d bytes, %+v", cap(p.text), s)
	}
	var none *pipe // where there are no pipes
	none.listen()
	none.closeWriter()
	none.finish(time.Now())
	none.close()
	if got := none.environ([]string{"A=1", "TARE_FD=9", "B=2"}); !slices.Equal(got, []string{"A=1", "B=2"}) || none.extra() != nil {
		t.Errorf("environment %q", got)
	}
	if s := none.decode(f); s.warn(f, nil) != nil {
		t.Errorf("%+v", s)
	}
}

// TestOutside: wall and CPU time and delay are what we saw, and only where the iterations are ours.
func TestOutside(t *testing.T) {
	seen := []*record.Sample{{Iter: 1, Wall: 10, CPU: 1, Delay: 2, Batched: true}, {Iter: 2, Wall: 20, CPU: 2, Delay: 4, Batched: true}}
	for _, test := range []struct {
		sent []int
		want []int64
	}{
		{[]int{1, 2}, []int64{10, 20}},
		{[]int{1, 1, 2, 2}, []int64{10, 10, 20, 20}},
		{[]int{2}, []int64{20}},
		{[]int{1, 2, 3}, []int64{0, 0, 0}},
	} {
		var sent []*record.Sample
		for _, i := range test.sent {
			sent = append(sent, &record.Sample{Iter: i})
		}
		copyOutside(sent, seen)
		for i, s := range sent {
			if w := test.want[i]; s.Wall != w || s.CPU != w/10 || s.Delay != w/5 || s.Batched != (w > 0) {
				t.Errorf("%v: %d is %+v", test.sent, i, s)
			}
		}
	}
}

// TestLingering: what lies in a pipe is read although the deadline is over.
func TestLingering(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if err := r.SetReadDeadline(time.Now()); err != nil {
		t.Skip(err)
	}
	const lines = 300 // more than one read gets
	for range lines {
		w.WriteString("BenchmarkA \t     100\t         5.000 ns/op\n")
	}
	o := output{parser: parser{procs: 1, limit: lines}}
	o.read(&drainReader{f: r}) // and ends, although the other side is open
	if p := o.done(); len(p.results) != lines {
		t.Errorf("%d results", len(p.results))
	}
	w.Close()
	if n, err := readNow(r, make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("of an end: %d, %v", n, err)
	}
}

// FuzzPipe: whatever a fork writes, what is kept is the fork's, can be written
// to a record, and is read again from it.
func FuzzPipe(f *testing.F) {
	hello := `{"k":"hello","v":1,"from":"bench"}` + "\n"
	for _, s := range []string{
		"", hello, "x\n" + hello, hello + `{"k":"sample","iter":1,"phase":"measure","t":1,"ns":5,"ops":1,"v":{"ns/op":5,"x":"NaN"}}` + "\n",
		hello + `{"k":"hist","fork":9,"FORK":8,"iter":1,"data":"AA==","a":[{"b":1e400}]}` + "\n" + `{"k":"announce","name":"A","mode":"time"}` + "\n" + `{"k":"mark","ev":"end","t":9}` + "\n" + `{"k":"warn","about":"run","id":4}`,
		hello + `{"k":"attach","data":"AA=="}` + "\n" + `{"k":"tare","clock":1e308}` + "\n" + `{"k":"end"}` + "\n\n\xff\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p := &pipe{max: maxPipeBytes}
		p.read(bytes.NewReader(text))
		fork := &record.Fork{ID: 5, Case: 6, Bin: 7, Purpose: record.PurposeTiming, State: record.StateOK}
		s := p.decode(fork)
		var file bytes.Buffer
		w := record.NewWriter(&file)
		lines := []record.Line{&record.Run{}}
		for _, x := range s.samples {
			if x.Fork != 5 || x.Iter < 1 {
				t.Fatalf("%+v", x)
			}
			lines = append(lines, x)
		}
		lines = append(lines, s.lines...)
		if warn := s.warn(fork, nil); warn != nil {
			lines = append(lines, warn)
		}
		lines = append(lines, fork)
		for _, l := range lines {
			if err := w.Write(l); err != nil {
				t.Fatalf("%+v: %v", l, err)
			}
		}
		count := 0
		for l, err := range record.NewReader(bytes.NewReader(file.Bytes()), "pipe").All() {
			if err != nil {
				t.Fatalf("%v\n%s", err, file.Bytes())
			}
			if a, ok := l.(*record.Attach); ok && (a.Fork != 5 || a.Case != 0) {
				t.Errorf("%+v", a)
			}
			count++
		}
		if count != len(lines) {
			t.Errorf("%d of %d lines were read again", count, len(lines))
		}
	})
}
