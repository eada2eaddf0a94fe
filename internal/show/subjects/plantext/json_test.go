package plantext

import (
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/record"
)

// TestWriteJSON: the plan is one JSON object. A case whose iterations have a fixed time has no N in it, because package
// testing chooses N while the benchmark runs.
func TestWriteJSON(t *testing.T) {
	p := &Plan{
		Run: &record.Run{Seed: 7, Config: record.Config{Forks: 20, Iterations: 2, Time: 50 * time.Millisecond, Order: "interleaved"}},
		Cases: []*record.Case{
			{Pkg: "x", Name: "Sort", Procs: 2, Mode: record.ModeN, N: 1000, Wall: int64(150 * time.Millisecond)},
			{Pkg: "x", Name: "Par", Procs: 2, Mode: record.ModeTime, N: 5, Wall: int64(time.Second)},
		},
		Lost: []string{"x Bad: fails: <exit 1>"}, Preparing: time.Second, Measuring: time.Minute,
	}
	var b strings.Builder
	if err := WriteJSON(&b, p); err != nil {
		t.Fatal(err)
	}
	want := `{
  "seed": "7",
  "rounds": 20,
  "order": "interleaved",
  "cases": [
    {
      "pkg": "x",
      "name": "Sort",
      "procs": 2,
      "mode": "N",
      "n": 1000,
      "iterations": 2,
      "fork_ns": 150000000
    },
    {
      "pkg": "x",
      "name": "Par",
      "procs": 2,
      "mode": "time",
      "iterations": 2,
      "fork_ns": 1000000000
    }
  ],
  "failed": [
    "x Bad: fails: <exit 1>"
  ],
  "preparing_ns": 1000000000,
  "measuring_ns": 60000000000
}
`
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}

// TestWriteRowsJSON: a name that two rows have gets a list.
func TestWriteRowsJSON(t *testing.T) {
	var b strings.Builder
	if err := WriteRowsJSON(&b, [][]string{{"workers", "2"}, {"slo", "a"}, {"slo", "b"}, {"slo", "c"}}); err != nil {
		t.Fatal(err)
	}
	want := "{\n  \"slo\": [\n    \"a\",\n    \"b\",\n    \"c\"\n  ],\n  \"workers\": \"2\"\n}\n"
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}
