package export

import (
	"cmp"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/perf/benchfmt"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// Benchfmt writes Go's benchmark format: a line for each fork, because the
// fork is the sample. benchstat prints a table for every combination of file
// keys, so there are none that differ between forks or runs of the same thing:
// no fork number, no seed.
func Benchfmt(w io.Writer, s *result.Result) error {
	out := benchfmt.NewWriter(w)
	for _, m := range unitMetadata(s) {
		if err := out.Write(m); err != nil {
			return err
		}
	}
	// Those of a package and side stand together, so that the keys are not repeated before
	// every benchmark.
	bySide := func(r *result.Benchmark) [][2]string { return [][2]string{{r.Pkg, r.Side}} }
	for _, r := range result.Together(result.Pointers(s.Results), bySide) {
		config := fileConfig(s.Run, r)
		for i := range r.Values {
			values := forkValues(r, i)
			if len(values) == 0 {
				continue
			}
			err := out.Write(&benchfmt.Result{
				Config: config,
				Name:   benchfmt.Name(benchName(r)),
				Iters:  max(int(r.N), 1),
				Values: values,
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func fileConfig(run *record.Run, r *result.Benchmark) []benchfmt.Config {
	var out []benchfmt.Config
	add := func(key, value string) {
		value = strings.TrimSpace(charset.Name(value))
		if value != "" {
			out = append(out, benchfmt.Config{Key: key, Value: []byte(value), File: true})
		}
	}
	if run != nil {
		add("goos", run.Env.OS)
		add("goarch", run.Env.Arch)
	}
	add("pkg", r.Pkg)
	if run != nil {
		add("cpu", run.Env.CPU)
	}
	if r.Whole == "" { // else the name has it
		add("side", r.Side)
	}
	return out
}

func forkValues(r *result.Benchmark, fork int) []benchfmt.Value {
	var out []benchfmt.Value
	add := func(unit string, v result.Number) {
		x := float64(v)
		if unit = roleUnit(r.Role, unit); unit != "" && !math.IsNaN(x) && !math.IsInf(x, 0) {
			out = append(out, benchfmt.Value{Value: x, Unit: unit})
		}
	}
	add(r.Unit, r.Values[fork])
	for _, m := range r.Metrics {
		if fork < len(m.Values) {
			add(m.Unit, m.Values[fork])
		}
	}
	return out
}

// unitMetadata returns, for units that benchstat does not know, whether more is better.
func unitMetadata(s *result.Result) []*benchfmt.UnitMetadata {
	seen := map[string]bool{"ns/op": true, "sec/op": true, "MB/s": true, "B/s": true, "B/op": true, "allocs/op": true}
	var out []*benchfmt.UnitMetadata
	add := func(role, unit string) {
		unit = roleUnit(role, unit)
		if unit == "" || seen[unit] {
			return
		}
		seen[unit] = true
		if b := record.UnitOf(unit).Better; b != "" {
			m := &benchfmt.UnitMetadata{OrigUnit: unit, Value: b}
			m.Unit, m.Key = unit, "better"
			out = append(out, m)
		}
	}
	for i := range s.Results {
		r := &s.Results[i]
		if len(r.Values) == 0 {
			continue
		}
		add(r.Role, r.Unit)
		for _, m := range r.Metrics {
			add(r.Role, m.Unit)
		}
	}
	return out
}

// roleUnit returns how plain go test prints a role's unit: producer-op/s.
func roleUnit(role, unit string) string {
	unit = oneWord(unit)
	if role = oneWord(role); role == "" || unit == "" || strings.HasPrefix(unit, role+"-") {
		return unit
	}
	return role + "-" + unit
}

// benchName returns the name as go test prints it behind "Benchmark".
func benchName(r *result.Benchmark) string {
	name := oneWord(cmp.Or(r.Whole, r.Name))
	if r.Procs > 1 {
		name += "-" + strconv.Itoa(r.Procs)
	}
	return name
}

// oneWord returns s as one field of a line, as testing does with names of sub-benchmarks: blanks become
// underscores, unprintable characters are escaped.
func oneWord(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return '_'
		}
		return r
	}, s)
	return charset.Name(s)
}
