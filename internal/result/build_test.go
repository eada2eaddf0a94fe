package result

import (
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

func warningOf(ws []Warning, code string) string {
	for _, w := range ws {
		if w.Code == code {
			return w.Text
		}
	}
	return ""
}

// builtBy is a record of two sides, the second slower, with the settings of their binaries.
func builtBy(old, new map[string]string) *sided {
	s := newSided(record.Config{}, "old", "new")
	s.bins[1].Build, s.bins[2].Build = old, new
	s.add("old", "X", "ns/op", 20, 100, 0.02)
	s.add("new", "X", "ns/op", 20, 200, 0.02)
	return s
}

// TestBuildDiffers: a verdict on sides that were built by other settings is not trusted, unless they were meant to be.
func TestBuildDiffers(t *testing.T) {
	plain, race := map[string]string{"GOAMD64": "v1"}, map[string]string{"GOAMD64": "v1", "-race": "true"}
	for _, c := range []struct {
		what     string
		old, new map[string]string
		flags    []string
		want     string
	}{
		{"an old record", nil, race, nil, ""},
		{"alike", race, race, nil, ""},
		{"race", plain, race, nil, "new is not built as old: with -race"},
		{"race by --side-flags", plain, race, []string{"-race"}, ""},
	} {
		s := builtBy(c.old, c.new)
		s.run.Sides[1].Flags = c.flags
		sum := s.Result()
		if got := warningOf(sum.Warnings, diagnosis.BuildDiffers); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
		row := only(t, sum)
		if distrusted := slices.Contains(row.Reasons, diagnosis.BuildDiffers); distrusted == row.Trusted || distrusted != (c.want != "") {
			t.Errorf("%s: trusted %v, because of %v", c.what, row.Trusted, row.Reasons)
		}
	}
}

// TestBuildOfRecords: records of different runs are not sides with build settings of their own, whatever environment
// their forks had. Exact counts also depend on how the binary was built.
func TestBuildOfRecords(t *testing.T) {
	b := NewBuilder()
	for i, level := range []string{"v1", "v3"} {
		x := NewBuilder()
		x.Add(&record.Run{Seed: record.Seed(i), Config: record.Config{Setenv: []string{"GOAMD64=" + level}}})
		x.Add(&record.Bin{ID: 1, Pkg: "p", SHA256: level, Build: map[string]string{"GOAMD64": level}})
		x.Add(&record.Bin{ID: 2, Pkg: "p", SHA256: level, Purpose: "trace", Build: map[string]string{"-gcflags": "-l"}})
		x.Add(&record.Case{ID: 1, Pkg: "p", Name: "X", Bin: 1, Procs: 1, Mode: record.ModeN})
		for fork := range 10 {
			x.Add(&record.Sample{Fork: fork + 1, Iter: 1, Phase: record.PhaseMeasure, Ops: 1, V: record.Values{{Unit: "allocs/op", Value: float64(i + 1)}}})
			x.Add(&record.Fork{ID: fork + 1, Case: 1, Bin: 1, Purpose: record.PurposeTiming, State: record.StateOK})
		}
		if err := b.Absorb(x, level+".jsonl"); err != nil {
			t.Fatal(err)
		}
	}
	sum := b.Result()
	if got := warningOf(sum.Warnings, diagnosis.BuildDiffers); got != "v3.jsonl is not built as v1.jsonl: GOAMD64 v3 against v1" {
		t.Errorf("%q", got)
	}
	if row := only(t, sum); row.Trusted || !slices.Contains(row.Reasons, diagnosis.BuildDiffers) {
		t.Errorf("%+v", row)
	}
	if len(sum.Build) != 1 || sum.Build[0].Side != "v3.jsonl" || !slices.Equal(sum.Build[0].Settings, []string{"GOAMD64=v3"}) {
		t.Errorf("%+v", sum.Build)
	}
}

func TestNotRelease(t *testing.T) {
	both := builtBy(map[string]string{"-race": "true"}, map[string]string{"-gcflags": "-N -l"})
	if got := warningOf(both.Result().Warnings, diagnosis.NotRelease); !strings.HasPrefix(got, `built with -race (old), -gcflags="-N -l" (new): figures are not`) {
		t.Errorf("%q", got)
	}
	alone := NewBuilder()
	alone.Add(&record.Run{})
	alone.Add(&record.Bin{ID: 1, Build: map[string]string{"-cover": "true", "GOAMD64": "v3"}})
	if got := warningOf(alone.Result().Warnings, diagnosis.NotRelease); got != "built with -cover: figures are not those of a release build" {
		t.Errorf("%q", got)
	}
	if ws := alone.Warnings(); len(ws) != 1 || ws[0].Code != diagnosis.NotRelease {
		t.Errorf("for the record: %+v", ws)
	}
}
