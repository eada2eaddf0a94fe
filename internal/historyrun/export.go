package historyrun

import (
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/history"
	"github.com/tarebench/tare/record"
)

// ExportRows returns a table with a row for each value of entries, and its head. Values are as they are kept.
func ExportRows(entries []*history.Entry) [][]string {
	rows := [][]string{{"commit", "time", "machine", "toolchain", "pkg", "name", "procs", "unit", "fork", "value"}}
	for _, e := range entries {
		for i := range e.Series {
			s := &e.Series[i]
			for k, x := range s.Values {
				rows = append(rows, []string{e.Commit, e.Time.UTC().Format("2006-01-02T15:04:05Z"), e.Machine, e.Toolchain, s.Pkg, s.Name, strconv.Itoa(s.Procs), s.Unit, strconv.Itoa(k + 1), strconv.FormatFloat(x, 'g', -1, 64)})
			}
		}
	}
	return rows
}

// ExportRecord writes an entry as the record of a run of benchmarks whose forks have one sample each. What the history does not
// keep is absent.
func ExportRecord(w io.Writer, e *history.Entry) error {
	out := record.NewWriter(w)
	run := &record.Run{
		Kind: record.KindBench, Start: e.Time, Command: []string{"tare", "history", "export", e.Commit}, Revision: e.Commit, Dirty: e.Dirty,
		Env: record.Env{Go: e.Toolchain, CPU: e.Described},
	}
	lines := []record.Line{run}
	x := &exporter{bins: map[string]int{}, cases: map[history.Key]*record.Case{}, forks: map[history.Key][]record.Values{}}
	for i := range e.Series {
		x.add(&e.Series[i], e.Settings)
	}
	lines = append(append(lines, x.heads...), x.samples()...)
	for _, l := range append(lines, &record.End{State: record.EndCompleted}) {
		if err := out.Write(l); err != nil {
			return err
		}
	}
	return nil
}

// exporter gathers the units of each benchmark.
type exporter struct {
	heads []record.Line
	bins  map[string]int // by package
	cases map[history.Key]*record.Case
	order []history.Key
	forks map[history.Key][]record.Values
}

func (x *exporter) add(s *history.Series, settings map[string]string) {
	c := x.cases[s.Key]
	if c == nil {
		if x.bins[s.Pkg] == 0 {
			x.bins[s.Pkg] = len(x.bins) + 1
			x.heads = append(x.heads, &record.Bin{ID: x.bins[s.Pkg], Pkg: s.Pkg, SHA256: s.Bin, Build: maps.Clone(settings)})
		}
		name, role, _ := strings.Cut(s.Name, " ")
		c = &record.Case{ID: len(x.cases) + 1, Pkg: s.Pkg, Name: name, Params: record.ParseName(name), Bin: x.bins[s.Pkg], Procs: s.Procs, Mode: record.ModeN, N: s.N}
		if role != "" {
			c.Roles = []string{role}
		}
		x.cases[s.Key] = c
		x.order = append(x.order, s.Key)
		x.heads = append(x.heads, c)
	}
	for i, v := range s.Values {
		if i == len(x.forks[s.Key]) {
			x.forks[s.Key] = append(x.forks[s.Key], nil)
		}
		x.forks[s.Key][i] = append(x.forks[s.Key][i], record.Value{Unit: s.Unit, Value: v})
	}
}

// samples returns the lines of all forks.
func (x *exporter) samples() (lines []record.Line) {
	id := 0
	for _, k := range x.order {
		c := x.cases[k]
		for i, v := range x.forks[k] {
			id++
			role := strings.Join(slices.Clone(c.Roles), "")
			lines = append(lines, &record.Sample{Fork: id, Iter: 1, Phase: record.PhaseMeasure, Role: role, V: v, Ops: c.N},
				&record.Fork{ID: id, Case: c.ID, Bin: c.Bin, Round: i + 1, Order: id, Purpose: record.PurposeTiming, Exit: "0", State: record.StateOK})
		}
	}
	return lines
}
