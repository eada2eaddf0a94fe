package benchtext

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

// ErrNoResults is wrapped by Read's error for a text without results.
var ErrNoResults = errors.New("no benchmark results")

// Read converts benchmark text into lines of a record: a run, a case for each name, and a sample and a fork
// for each result. Its error joins all malformed result lines; the other lines are returned nevertheless.
func Read(r io.Reader, name string) ([]record.Line, error) {
	t := text{run: &record.Run{Version: record.Version, Kind: record.KindBench, Config: record.Config{Iterations: 1}}, cases: map[key]*record.Case{}}
	t.lines = append(t.lines, t.run)
	in := benchfmt.NewReader(r, name)
	var errs []error
	for in.Scan() {
		switch res := in.Result().(type) {
		case *benchfmt.Result:
			t.add(res)
		case *benchfmt.UnitMetadata:
			t.unit(res)
		case *benchfmt.SyntaxError:
			errs = append(errs, res)
		}
	}
	if err := in.Err(); err != nil {
		errs = append(errs, fmt.Errorf("%s: %w", name, err))
	}
	if t.forks == 0 {
		errs = append(errs, fmt.Errorf("%s: %w", name, ErrNoResults))
	}
	for _, c := range t.cases {
		c.Units = t.units
	}
	if t.twice > 0 {
		t.lines = append(t.lines, diagnosis.Warn(diagnosis.UnitTwice, diagnosis.Facts{"file": name, "lines": lines(t.twice), "first": t.firstTwice}))
	}
	return append(t.lines, &record.End{State: record.EndCompleted}), errors.Join(errs...)
}

type key struct {
	pkg, name string
	procs     int
}

// text is the state of one Read.
type text struct {
	run   *record.Run
	lines []record.Line
	cases map[key]*record.Case
	units map[string]record.Unit
	forks int

	twice      int    // lines that have a unit twice
	firstTwice string // benchmark and unit of the first one
}

func lines(n int) string {
	if n == 1 {
		return "a line has"
	}
	return fmt.Sprintf("%d lines have", n)
}

func (t *text) add(res *benchfmt.Result) {
	t.environment(res)
	c := t.caseOf(res)
	t.forks++
	s := &record.Sample{Fork: t.forks, Iter: 1, Phase: record.PhaseMeasure, Ops: int64(res.Iters)}
	again, seen := "", map[string]bool{}
	for _, v := range res.Values {
		unit, val := v.Unit, v.Value
		if v.OrigUnit != "" { // records keep Go's units
			unit, val = v.OrigUnit, v.OrigValue
		}
		if seen[unit] {
			again = cmp.Or(again, c.Name+" "+unit)
			continue
		}
		seen[unit] = true
		if unit == "ns/op" {
			s.Ns = int64(math.Round(val * float64(res.Iters)))
		}
		s.V = append(s.V, record.Value{Unit: unit, Value: val})
	}
	if again != "" {
		t.twice++
		t.firstTwice = cmp.Or(t.firstTwice, again)
	}
	t.lines = append(t.lines, s, &record.Fork{
		ID: t.forks, Case: c.ID, Round: t.forks, Order: t.forks, Purpose: record.PurposeTiming, Exit: "0", State: record.StateOK,
	})
}

// environment sets the environment from the file's keys.
func (t *text) environment(res *benchfmt.Result) {
	e := &t.run.Env
	for _, k := range []struct {
		key string
		to  *string
	}{{"goos", &e.OS}, {"goarch", &e.Arch}, {"cpu", &e.CPU}} {
		if v := res.GetConfig(k.key); v != "" {
			*k.to = v
		}
	}
}

func (t *text) caseOf(res *benchfmt.Result) *record.Case {
	name, procs := splitName(string(res.Name.Full()))
	k := key{res.GetConfig("pkg"), name, procs}
	c := t.cases[k]
	if c == nil {
		c = &record.Case{ID: len(t.cases) + 1, Pkg: k.pkg, Name: name, Params: record.ParseName(name), Procs: procs}
		t.cases[k] = c
		t.lines = append(t.lines, c)
	}
	return c
}

// splitName splits GOMAXPROCS off the end of a name.
func splitName(full string) (name string, procs int) {
	if i := strings.LastIndexByte(full, '-'); i > 0 {
		if n, err := strconv.Atoi(full[i+1:]); err == nil && n > 0 {
			return full[:i], n
		}
	}
	return full, 1
}

// unit sets the metadata "better" and "assume" of a unit.
func (t *text) unit(m *benchfmt.UnitMetadata) {
	name := m.OrigUnit
	if name == "" {
		name = m.Unit
	}
	if t.units == nil {
		t.units = map[string]record.Unit{}
	}
	u, ok := t.units[name]
	if !ok {
		u = record.UnitOf(name)
	}
	switch m.Key {
	case "better":
		u.Better = m.Value
	case "assume":
		u.Assume = m.Value
	}
	t.units[name] = u
}
