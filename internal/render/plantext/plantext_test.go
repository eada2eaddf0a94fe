package plantext

import (
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/render/page"
	"github.com/tarebench/tare/record"
)

// TestWrite: the plan names each benchmark, what failed, and the sum of the times.
func TestWrite(t *testing.T) {
	p := &Plan{
		Run: &record.Run{Seed: 7, Config: record.Config{Forks: 80, Order: "interleaved", Precision: 0.01, Confidence: 0.95}},
		Cases: []*record.Case{
			{Pkg: "example.org/x", Name: "Sort", Procs: 2, Mode: record.ModeN, N: 1000, Wall: int64(150 * time.Millisecond)},
			{Pkg: "example.org/x", Name: "Par", Procs: 2, Mode: record.ModeTime, N: 5, Wall: int64(time.Second)},
		},
		Lost: []string{"example.org/x Bad: fails: exit 1"}, Preparing: time.Second, Measuring: 90 * time.Second,
	}
	var b strings.Builder
	if err := Write(&b, p, page.Options{Width: 100, UTF8: true}); err != nil {
		t.Fatal(err)
	}
	want := `benchmark           procs  mode     N   fork
example.org/x Sort      2     N  1000  150ms
example.org/x Par       2  time     –     1s
example.org/x Bad: fails: exit 1

at most 80 rounds of 2 benchmarks, interleaved, seed 7, checked after 10, 20, 40, 80 rounds
forks 1m30s + build and calibration 1s = 1m31s
`
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}
