package record

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"sync"
	"testing"
)

// counting counts calls of Write and remembers the size of each.
type counting struct {
	bytes.Buffer
	sizes []int
}

func (c *counting) Write(b []byte) (int, error) {
	c.sizes = append(c.sizes, len(b))
	return c.Buffer.Write(b)
}

func TestWriterOneCallPerLine(t *testing.T) {
	var out counting
	w := NewWriter(&out)
	for _, l := range golden() {
		if err := w.Write(l); err != nil {
			t.Fatal(err)
		}
	}
	i := 0
	for line := range bytes.Lines(out.Bytes()) {
		if out.sizes[i] != len(line) {
			t.Errorf("call %d wrote %d bytes, want the %d of a line", i+1, out.sizes[i], len(line))
		}
		i++
	}
	if i != len(golden()) || i != len(out.sizes) {
		t.Errorf("%d lines in %d calls, want %d", i, len(out.sizes), len(golden()))
	}
}

func TestWriterKindFirst(t *testing.T) {
	tests := []struct {
		line Line
		want string
	}{
		{&Overhead{}, `{"k":"tare"}`},
		{&End{}, `{"k":"end","state":""}`},
		{&Warn{About: "<&>", Code: "\xff"}, `{"k":"warn","about":"<&>","code":"` + `\ufffd` + `","text":""}`},
		{&Sample{Phase: "<&>", Role: "\n\xff"}, `{"k":"sample","fork":0,"iter":0,"phase":"<&>","role":"\n` + `\ufffd` + `","t":0,"ns":0,"ops":0,"v":{}}`},
	}
	for _, test := range tests {
		var out strings.Builder
		if err := NewWriter(&out).Write(test.line); err != nil {
			t.Error(err)
		}
		if got := out.String(); got != test.want+"\n" {
			t.Errorf("got %s want %s", got, test.want)
		}
	}
}

func TestWriterVersion(t *testing.T) {
	var out strings.Builder
	run := &Run{Tare: "x"}
	if err := NewWriter(&out).Write(run); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(out.String(), `{"k":"run","v":1,`) {
		t.Errorf("version is not filled in: %s", out.String())
	}
	if run.Version != 0 {
		t.Error("the caller's line was changed")
	}
	if err := NewWriter(&out).Write(&Run{Version: Version + 1}); err == nil {
		t.Error("wrote a newer version")
	}
}

func TestWriterBadLine(t *testing.T) {
	const limit = 100 << 10
	long := &Attach{Name: "big", Data: make([]byte, limit)}
	for _, bad := range []Line{nil, (*Sample)(nil), (*Run)(nil), (*Warn)(nil), &InterimAnalysis{Widest: math.NaN()}, long} {
		var out strings.Builder
		w := NewWriter(&out)
		w.max = limit
		err := w.Write(bad)
		if err == nil || !strings.HasPrefix(err.Error(), "writing line 1 ("+kindName(bad)+"): ") {
			t.Errorf("%T: error is %v", bad, err)
		}
		if err := w.Write(&Overhead{}); err != nil || out.String() != "{\"k\":\"tare\"}\n" {
			t.Errorf("%T: the line after it: %v, %q", bad, err, out.String())
		}
		if w.Err() != err {
			t.Errorf("%T: Err is %v, want %v", bad, w.Err(), err)
		}
	}
}

// failing takes room bytes and then fails, or silently writes less.
type failing struct {
	room int
	err  error
}

func (f *failing) Write(b []byte) (int, error) {
	n := min(f.room, len(b))
	f.room -= n
	if n < len(b) {
		return n, f.err
	}
	return n, nil
}

func TestWriterDead(t *testing.T) {
	full := errors.New("write x.jsonl: disk is full")
	for _, test := range []struct{ err, want error }{{full, full}, {nil, io.ErrShortWrite}} {
		out := &failing{room: 20, err: test.err}
		w := NewWriter(out)
		if err := w.Write(&Overhead{}); err != nil {
			t.Fatal(err)
		}
		err := w.Write(&Overhead{})
		if !errors.Is(err, test.want) || !strings.HasPrefix(err.Error(), "writing line 2 (tare): ") {
			t.Errorf("error is %v, want %v", err, test.want)
		}
		out.room = 1000 // somebody made room, but half a line is in the file
		if again := w.Write(&End{}); again != err || w.Err() != err || out.room != 1000 {
			t.Errorf("went on with %v, %v", again, w.Err())
		}
	}
}

func TestWriterConcurrent(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out)
	w.Write(&Run{})
	const writers, lines = 8, 100
	var wg sync.WaitGroup
	for g := range writers {
		wg.Go(func() {
			for i := range lines {
				w.Write(&Sample{Fork: g, Iter: i, V: Values{{"ns/op", float64(i)}}})
				w.Write(&Warn{ID: g})
			}
		})
	}
	wg.Wait()
	if err := w.Err(); err != nil {
		t.Fatal(err)
	}
	next := make([]int, writers)
	n := 0
	for l, err := range NewReader(&out, "out").All() {
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := l.(*Sample); ok {
			if s.Iter != next[s.Fork] {
				t.Errorf("fork %d: iteration %d, want %d", s.Fork, s.Iter, next[s.Fork])
			}
			next[s.Fork]++
		}
		n++
	}
	if want := 1 + writers*lines*2; n != want {
		t.Errorf("%d lines, want %d", n, want)
	}
}

func TestWriterAllocs(t *testing.T) {
	w := NewWriter(io.Discard)
	s := benchSample(1)
	if n := testing.AllocsPerRun(1000, func() { w.Write(s) }); n > 0 {
		t.Errorf("writing a sample allocates %v times, want 0", n)
	}
}
