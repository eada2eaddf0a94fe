package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// mass is the package of the functions with very many calls.
const mass = subjects + "/mass"

// within is how far a corrected time may be from that without probes, as a share, unless it is marked.
const within = 0.2

// traced holds the times of functions without probes, as tare trace and tare bench --prof trace find them, against what
// the same functions take in a build without probes.
func traced(ctx context.Context, c config) error {
	temp, err := tempdir.Dir("truth")
	if err != nil {
		return err
	}
	defer temp.Remove()
	x := &tracing{config: c, dir: temp.Path, rows: map[string]*tracedRow{}}
	if err := x.build(ctx); err != nil {
		return err
	}
	for range c.repeat {
		if err := errors.Join(x.program(ctx), x.benchmark(ctx)); err != nil {
			return err
		}
	}
	return x.print(c.out)
}

// tracing is the experiment.
type tracing struct {
	config
	dir, tare string
	rows      map[string]*tracedRow // by run and function
	order     []string
}

// tracedRow is what was found of one function: a value for each repetition. Times are in ns per call.
type tracedRow struct {
	run, name                 string
	calls                     float64 // made by one of its calls
	raw, corrected, unwatched []float64
	marked                    []bool
}

func (x *tracing) build(ctx context.Context) error {
	x.tare = filepath.Join(x.dir, "tare")
	for path, pkg := range map[string]string{x.tare: "github.com/tarebench/tare/cmd/tare", filepath.Join(x.dir, "mass"): mass} {
		if _, err := output(ctx, "go", "build", "-o", path, pkg); err != nil {
			return err
		}
	}
	return nil
}

// output returns the standard output of a command.
func output(ctx context.Context, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err, &errs)
	}
	return out.Bytes(), nil
}

// program traces the functions in a program that runs once.
func (x *tracing) program(ctx context.Context) error {
	plain := map[string][]float64{}
	run := func() error {
		out, err := output(ctx, filepath.Join(x.dir, "mass"), "-rounds", "3")
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(out)) {
			var name string
			var ns float64
			if _, err := fmt.Sscan(line, &name, &ns); err != nil {
				return fmt.Errorf("mass printed %q: %w", line, err)
			}
			plain[name] = append(plain[name], ns)
		}
		return nil
	}
	if err := run(); err != nil {
		return err
	}
	out, err := output(ctx, x.tare, "trace", "--include", "main.*", "--progress", "none", "--format", "json", mass)
	if err != nil {
		return err
	}
	if err := run(); err != nil {
		return err
	}
	var t tracedCalls
	if err := json.Unmarshal(out, &t); err != nil {
		return err
	}
	for name, ns := range plain {
		if err := x.add("program", name, &t, stat.Median(ns)); err != nil {
			return err
		}
	}
	return nil
}

// benchmark traces the functions in benchmarks, which have forks without probes.
func (x *tracing) benchmark(ctx context.Context) error {
	file := filepath.Join(x.dir, "r.jsonl")
	if _, err := output(ctx, x.tare, "bench", "-o", file, "--forks", fmt.Sprint(x.forks), "--time", "20ms", "--prof", "trace", "--progress", "none", mass); err != nil {
		return err
	}
	plain, err := readFile(file)
	if err != nil {
		return err
	}
	out, err := output(ctx, x.tare, "trace", "--format", "json", file)
	if err != nil {
		return err
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var t tracedCalls
		if err := d.Decode(&t); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		_, name, _ := strings.Cut(t.Benchmark, " · ")
		ns, err := plain.of(record.PurposeTiming, name, "ns/op", x.forks)
		if err != nil {
			return err
		}
		if err := x.add("benchmark", strings.TrimPrefix(name, "Mass/"), &t, stat.Median(ns)); err != nil {
			return err
		}
	}
}

// tracedCalls is the part of tare trace's JSON that is read here.
type tracedCalls struct {
	Benchmark string
	Functions []struct {
		Name       string
		Calls      float64
		Total      float64 `json:"total_ns"`
		Corrected  float64 `json:"corrected_total_ns"`
		Dominated  bool
		Unreliable bool `json:"corrected_total_unreliable"`
	}
	Tree []struct {
		Name   string
		Parent int
		Calls  float64
	}
}

// add adds what was found of a function: unwatched is what a call takes without probes, in ns.
func (x *tracing) add(run, name string, t *tracedCalls, unwatched float64) error {
	for _, f := range t.Functions {
		if !strings.HasSuffix(f.Name, "."+name) || f.Calls == 0 {
			continue
		}
		key := run + " " + name
		r := x.rows[key]
		if r == nil {
			r = &tracedRow{run: run, name: name}
			x.rows[key] = r
			x.order = append(x.order, key)
		}
		r.calls = t.below(f.Name) / f.Calls
		r.raw, r.corrected, r.unwatched = append(r.raw, f.Total/f.Calls), append(r.corrected, f.Corrected/f.Calls), append(r.unwatched, unwatched)
		r.marked = append(r.marked, f.Dominated || f.Unreliable)
		return nil
	}
	return fmt.Errorf("tare trace has no calls of %s", name)
}

// below returns how many calls are below those of a function in the tree of calls.
func (t *tracedCalls) below(name string) (calls float64) {
	in := make([]bool, len(t.Tree))
	for i, c := range t.Tree {
		if c.Parent >= 0 && (in[c.Parent] || t.Tree[c.Parent].Name == name) {
			in[i] = true
			calls += c.Calls
		}
	}
	return calls
}

// ratios returns corrected times in units of those without probes.
func (r *tracedRow) ratios() (out []float64) {
	for i := range r.corrected {
		out = append(out, r.corrected[i]/r.unwatched[i])
	}
	return out
}

func (x *tracing) print(w io.Writer) error {
	fmt.Fprintf(w, "trace, %d repetitions, a program and benchmarks of %d forks; times per call of the function\n", x.repeat, x.forks)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "  \tfunction\tcalls\traw\tcorrected\tunwatched\tratio\tfrom … to\tmarked\t")
	var all, bad, needless int
	for _, key := range x.order {
		r := x.rows[key]
		marked := 0
		least, most := r.ratios()[0], r.ratios()[0]
		for i, ratio := range r.ratios() {
			all++
			off := ratio > 1+within || ratio < 1-within
			switch {
			case r.marked[i]:
				marked++
				if !off {
					needless++
				}
			case off:
				bad++
			}
			least, most = min(least, ratio), max(most, ratio)
		}
		fmt.Fprintf(t, "  %s\t%s\t%.0f\t%s\t%s\t%s\t%.2f\t%.2f … %.2f\t%d of %d\t\n", r.run, r.name, r.calls, millis(r.raw), millis(r.corrected), millis(r.unwatched),
			stat.Median(r.ratios()), least, most, marked, len(r.marked))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "of %d corrected times: %d off by more than %.0f %% and not marked; %d within, and marked all the same\n\n", all, bad, 100*within, needless)
	return err
}

// millis writes the median of times in ns.
func millis(ns []float64) string { return fmt.Sprintf("%.3g ms", cmp.Or(stat.Median(ns), 0)/1e6) }
