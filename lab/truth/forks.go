package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/record"
)

// subjects is the package of the benchmarks.
const subjects = "github.com/tarebench/tare/lab/truth"

// measured are what forks reported: purpose → benchmark → values. A profiler's
// forks have its name for their purpose.
type measured map[string]map[string]values

// values are what the forks of one benchmark reported: unit → one value per fork,
// that of its last iteration.
type values map[string][]float64

// bench has tare measure benchmarks, each in as many forks as asked for.
func bench(ctx context.Context, c config, args ...string) (measured, error) {
	temp, err := tempdir.Dir("truth")
	if err != nil {
		return nil, err
	}
	defer temp.Remove()
	dir := temp.Path
	tare, file := filepath.Join(dir, "tare"), filepath.Join(dir, "r.jsonl")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", tare, "github.com/tarebench/tare/cmd/tare").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building tare: %w\n%s", err, out)
	}
	n := strconv.Itoa(c.forks)
	args = append([]string{"bench", "-o", file, "--forks", n}, args...)
	if slices.Contains(args, "--prof") {
		args = append(args, "--prof-forks", n)
	}
	if out, err := exec.CommandContext(ctx, tare, append(args, subjects)...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("tare %v: %w\n%s", args, err, out)
	}
	return readFile(file)
}

// readFile gathers what forks reported in their last iterations.
func readFile(file string) (measured, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return read(record.NewReader(f, file))
}

// read is readFile of an open file.
func read(r *record.Reader) (measured, error) {
	names, last, out := map[int]string{}, map[int]*record.Sample{}, measured{}
	for {
		line, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		switch l := line.(type) {
		case *record.Case:
			names[l.ID] = l.Name
		case *record.Sample:
			if l.Phase == record.PhaseMeasure {
				last[l.Fork] = l
			}
		case *record.Fork:
			s := last[l.ID]
			if l.State == record.StateOK && s != nil {
				out.add(l.Purpose, names[l.Case], s.V)
			}
		}
	}
}

func (m measured) add(purpose, name string, v record.Values) {
	if m[purpose] == nil {
		m[purpose] = map[string]values{}
	}
	if m[purpose][name] == nil {
		m[purpose][name] = values{}
	}
	for _, x := range v {
		m[purpose][name][x.Unit] = append(m[purpose][name][x.Unit], x.Value)
	}
}

// of returns a unit's figure from each fork of a purpose.
func (m measured) of(purpose, name, unit string, forks int) ([]float64, error) {
	v := m[purpose][name][unit]
	if len(v) != forks {
		return nil, fmt.Errorf("%s: %s was reported by %d of %d forks", name, unit, len(v), forks)
	}
	return v, nil
}

// less subtracts fork by fork.
func less(a, b []float64) []float64 {
	var out []float64
	for i := range a {
		out = append(out, a[i]-b[i])
	}
	return out
}
