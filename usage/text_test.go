package usage

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// article is a measurement of the article that this package follows.
var article = Usage{
	Name: "sequentialSort2", Real: 6841 * time.Millisecond, CPU: 6840 * time.Millisecond, User: 6840 * time.Millisecond,
	Bytes: 344, Objects: 7, Procs: 12,
}

const articleText = `Results for sequentialSort2
real  0m6.841s
user  0m6.840s
sys   0m0.000s
mem   344.0B`

// parallel is the same work on 12 processors.
var parallel = Usage{
	Name: "parallelSort2", Real: 863 * time.Millisecond, CPU: 9210 * time.Millisecond, User: 9200 * time.Millisecond, Sys: 10 * time.Millisecond,
	Bytes: 1 << 30, Objects: 123456, GCCycles: 3, GCPause: 1234567, GCPauseMax: 654321, GCCPU: 98765432, Procs: 12,
	PerThread: Stats{Count: 27, Sum: 9 * time.Second, Min: time.Microsecond, Max: time.Second},
	Died:      2, Unattributed: 210 * time.Millisecond, Overhead: Overhead{40, 1300, 9500},
}

func init() {
	for i := range 27 {
		x := Thread{ID: 9000 + i, CPU: time.Second / time.Duration(i+1), Born: i%5 == 4}
		if i < 20 {
			parallel.split(&x, 40*time.Millisecond, 10*time.Millisecond)
		}
		parallel.Threads = append(parallel.Threads, x)
	}
}

// TestGolden holds the texts against testdata.
func TestGolden(t *testing.T) {
	elsewhere := Usage{Name: "elsewhere", Real: 63 * time.Second, Bytes: 2048, Procs: 4}
	elsewhere.markUnavailable("this system does not tell", FigureCPU, FigureUser, FigureSys, FigureThreads)
	elsewhere.markUnavailable("no collection ended", FigureGCCPU)
	undivided := Usage{Real: 2 * time.Millisecond, CPU: 1999 * time.Microsecond, Procs: 1}
	undivided.markUnavailable("too short", FigureUser, FigureSys)
	workers := Workers{
		Each: []Worker{
			{Thread: 11, Wall: Stats{3, 30 * time.Millisecond, time.Millisecond, 20 * time.Millisecond}, CPU: Stats{3, 29 * time.Millisecond, 900 * time.Microsecond, 19 * time.Millisecond}},
			{Thread: 12},
			{Thread: 13, Wall: Stats{1, time.Second, time.Second, time.Second}, CPU: Stats{1, 500 * time.Millisecond, 500 * time.Millisecond, 500 * time.Millisecond}},
		},
		Cost: Cost{456, 421},
	}
	blind := workers
	blind.NotAvailable = map[string]string{FigureCPU: "threads have no clock here"}
	for name, text := range map[string]string{
		"sequential":  fmt.Sprintf("%+v", article),
		"parallel":    fmt.Sprintf("%+v", parallel),
		"elsewhere":   fmt.Sprintf("%+v", elsewhere),
		"undivided":   fmt.Sprintf("%+v", undivided),
		"compared":    Compare(article, parallel).String(),
		"slower":      Compare(parallel, article).String(),
		"unknown":     Compare(elsewhere, Usage{}).String(),
		"workers":     workers.String(),
		"no-clock":    blind.String(),
		"no-workers":  Workers{}.String(),
		"equal-names": Compare(Usage{Real: 1, CPU: 1, Procs: 1}, Usage{Real: 1, CPU: 1, Procs: 1}).String(),
	} {
		golden(t, name, text)
	}
}

func golden(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(text+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if text+"\n" != string(want) {
		t.Errorf("%s:\n%s\nwant\n%s", name, text, want)
	}
}

func TestString(t *testing.T) {
	if got := article.String(); got != articleText {
		t.Error(got)
	}
	if got := fmt.Sprintf("%v|%s", article, article); got != articleText+"|"+articleText {
		t.Error(got)
	}
	if got := (Usage{}).String(); strings.Contains(got, "Results") || !strings.HasPrefix(got, "real  0m0.000s\n") {
		t.Error(got)
	}
}

func TestUnits(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0m0.000s", 499999: "0m0.000s", 500000: "0m0.001s", 59*time.Second + 999600*time.Microsecond: "1m0.000s", 3*time.Hour + 125*time.Millisecond: "180m0.125s",
	} {
		if got := clock(d); got != want {
			t.Errorf("%d: %s, want %s", d, got, want)
		}
	}
	for b, want := range map[float64]string{
		0: "0.0B", 344: "344.0B", 1023: "1023.0B", 1024: "1.0KiB", 1536: "1.5KiB", 1<<20 - 1: "1.0MiB", 3 << 30: "3.0GiB", math.MaxUint64: "16 384.0PiB",
	} {
		if got := memory(b); got != want {
			t.Errorf("%g: %s, want %s", b, got, want)
		}
	}
	for x, want := range map[float64]string{0.123: "0.12", 7.926: "7.93", 9.996: "10.0", 10.67: "10.7", 99.96: "100", 1234: "1234", math.NaN(): "?"} {
		if got := ratio(x); got != want {
			t.Errorf("%g: %s, want %s", x, got, want)
		}
	}
}
