package fork

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// repeat reads a block again and again until there were n bytes.
type repeat struct {
	block string
	n, at int
}

func (r *repeat) Read(b []byte) (int, error) {
	if r.n <= 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), r.n)], r.block[r.at:])
	r.n -= n
	r.at = (r.at + n) % len(r.block)
	return n, nil
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestOutputBounded: 100 MB of junk cost no memory, and the result behind it is
// read.
func TestOutputBounded(t *testing.T) {
	noise := make([]byte, 1<<20)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	for _, test := range []struct {
		name, block string
		mb          int
	}{
		{"log lines", "2026/01/02 03:04:05 something happened and was logged by somebody\n", 100},
		{"no newline", strings.Repeat("x", 4093), 50},
		{"noise", string(noise), 20},
		{"Benchmark", "Benchmarking is fun, said BenchmarkX to BenchmarkY\n", 3},
		{"figures", "7\ta 12 ns/op x\ta b5 c\n", 3},
		{"failures", "--- FAIL: BenchmarkX/y\n", 2},
		{"newlines", "\n", 2},
		{"long lines", strings.Repeat("y", 200_000) + "\n", 20},
	} {
		t.Run(test.name, func(t *testing.T) {
			size := test.mb << 20
			if !testutil.Long() || raceDetector {
				size /= 10
			}
			before := heap()
			o := &output{parser: parser{procs: 1}}
			o.read(io.MultiReader(strings.NewReader("BenchmarkA \t"), &repeat{block: test.block, n: size}, strings.NewReader("\nBenchmarkA \t     100\t         5.000 ns/op\n")))
			after := heap()
			const most = 2 << 20
			if after > before+most {
				t.Errorf("%d bytes are kept", after-before)
			}
			p := o.done()
			if len(p.results) == 0 || p.results[len(p.results)-1].show() != "BenchmarkA 100 5 ns/op" {
				t.Errorf("results %v", p.results)
			}
			checkTail(t, o.tailText())
		})
	}
}

func checkTail(t *testing.T, tail string) {
	t.Helper()
	if len(tail) > tailBytes || strings.Count(tail, "\n") >= tailLines || !utf8.ValidString(tail) {
		t.Errorf("a tail of %d bytes, %d lines, valid: %v", len(tail), 1+strings.Count(tail, "\n"), utf8.ValidString(tail))
	}
}

func TestTail(t *testing.T) {
	numbers := ""
	for i := range 25 {
		numbers += fmt.Sprintf("line %d\n", i)
	}
	for _, test := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"one line", "a\n", "a"},
		{"no newline", "a\nb", "a\nb"},
		{"blank lines", "a\n\n\n", "a"},
		{"twenty lines", numbers, strings.Join(strings.Split(strings.TrimSpace(numbers), "\n")[5:], "\n")},
		{"CRLF", "a\r\nb\r\n", "a\nb"},
		{"not UTF-8", "a\xff\xfeb\n", "a\uFFFDb"},
		{"long", strings.Repeat("x", 9000) + "end\n", "…" + strings.Repeat("x", tailBytes-6) + "end"},
		{"cut in a rune", strings.Repeat("日", 4000) + "\n", "…" + strings.Repeat("日", (tailBytes-3)/3)},
		{"many long lines", strings.Repeat(strings.Repeat("x", 5000)+"\n", 30) + "end\n", "…" + strings.Repeat("x", tailBytes-7) + "\nend"},
	} {
		o := output{parser: parser{procs: 1}}
		o.read(strings.NewReader(test.text))
		if got := o.tailText(); got != test.want {
			t.Errorf("%s: got %d bytes %.80q, want %d bytes %.80q", test.name, len(got), got, len(test.want), test.want)
		}
		checkTail(t, o.tailText())
	}
}

// TestOutputStamps: arrival times never go backwards and lie between the
// moments before and after reading.
func TestOutputStamps(t *testing.T) {
	pr, pw := io.Pipe()
	go func() {
		for range 50 {
			pw.Write([]byte("BenchmarkA \t"))
			time.Sleep(100 * time.Microsecond)
			pw.Write([]byte("     100\t         5.000 ns/op\nBenchmarkA \t     100\t         5.000 ns/op\n"))
		}
		pw.Close()
	}()
	var o output
	o.procs = 1
	o.read(pr)
	var ts []int64
	for _, r := range o.done().results {
		ts = append(ts, r.t)
	}
	if len(ts) != 100 || !slices.IsSorted(ts) || ts[0] <= 0 || ts[99]-ts[0] < int64(49*100*time.Microsecond) || ts[99] > o.last {
		t.Errorf("stamps %v, last %d", ts, o.last)
	}
}

// FuzzOutput: whatever a process prints, in whatever pieces, nothing panics,
// what is kept is bounded, and the pieces do not matter.
func FuzzOutput(f *testing.F) {
	for _, s := range []string{
		"BenchmarkA-2 \t     100\t         5.000 ns/op\t      16 B/op\n", "--- FAIL: BenchmarkA/b-2\n    x_test.go:5: why\n", "panic: x\n\ngoroutine 5 [running]:\n",
		"BenchmarkA\nBenchmarkA/b\nBenchmarkA/b-2 \t1\t+Inf x\n--- SKIP: BenchmarkA/c\nPASS", "x\r\n\x00\xff1\t2 3\n", "Benchmark \t9\tNaN y\n   \tfatal error: z\n",
	} {
		f.Add([]byte(s), uint8(3), false)
		f.Add([]byte(s), uint8(0), true)
	}
	f.Fuzz(func(t *testing.T, text []byte, piece uint8, verbose bool) {
		setting := parser{procs: 2, verbose: verbose, limit: 5}
		total := output{parser: setting}
		total.read(bytes.NewReader(text))
		pieces := output{parser: setting}
		for i, step := 0, int(piece)+1; i < len(text); i += step {
			pieces.add(text[i:min(i+step, len(text))], int64(i))
		}
		pieces.flush()
		a, b := total.done(), pieces.done()
		if fmt.Sprint(strip(a)) != fmt.Sprint(strip(b)) || total.tailText() != pieces.tailText() {
			t.Errorf("in one piece %+v\nin pieces %+v", a, b)
		}
		checkTail(t, total.tailText())
		if len(a.results) > 5 || len(a.panic) > maxWhy+3 || !utf8.ValidString(a.panic) {
			t.Errorf("%d results, panic %q", len(a.results), a.panic)
		}
		for _, r := range a.results {
			if r.n < 1 || len(r.v) == 0 || !strings.HasPrefix(r.name, "Benchmark") || strings.ContainsAny(r.name, " \t\n\r") {
				t.Errorf("result %+v", r)
			}
		}
		for _, x := range a.failed {
			if strings.ContainsAny(x.name, " \t\n") || len(x.why) > maxWhy+3 {
				t.Errorf("failure %+v", x)
			}
		}
	})
}

// strip removes the arrival times.
func strip(p printed) printed {
	p.results = slices.Clone(p.results)
	for i := range p.results {
		p.results[i].t = 0
	}
	return p
}

// TestMaskBeforeCut: half of a secret is not found, so that secrets are replaced before a text is cut.
func TestMaskBeforeCut(t *testing.T) {
	const secret = "firsthalfsecondhalf"
	for _, before := range []int{maxWhy - len(secret)/2 - len("panic: "), tailBytes - len(secret)/2, tailBytes, maxLine - tailBytes} {
		line := "panic: " + strings.Repeat("x", max(0, before)) + secret + strings.Repeat("y", tailBytes-len(secret)/2)
		o := output{parser: parser{procs: 1, mask: func(s string) string { return strings.ReplaceAll(s, secret, "***") }}}
		o.read(strings.NewReader("a\n" + line + "\nb\n"))
		p := o.done()
		for _, text := range []string{p.panic, o.tailText()} {
			if strings.Contains(text, "firsth") || strings.Contains(text, "dhalf") {
				t.Errorf("%d bytes before: %.40q … %.80q", before, text, text[max(0, len(text)-80):])
			}
		}
		checkTail(t, o.tailText())
	}
}
