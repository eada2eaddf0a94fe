//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/tarebench/tare/record"
)

// listed has tare list the benchmarks of a package, and those that fail.
func (o *options) listed(ctx context.Context, p pkg) outcome {
	out := o.run(ctx, p, o.tare, "bench", "--list", "--progress=none", p.importPath)
	x := readList(string(out.stdout), p.importPath)
	x.Seconds = out.seconds
	switch {
	case out.timedOut:
		x.State, x.Why = overLimit, "tare did not end within "+o.limit.String()
	case out.err != nil && len(x.Failed) == 0:
		x.State, x.Why = unbuilt, errorLine(string(out.stderr))
	}
	return x
}

// readList reads the lines of a list: package and name, and why a benchmark fails.
func readList(text, importPath string) outcome {
	x := outcome{State: completed, Failed: map[string]string{}}
	for line := range strings.Lines(text) {
		name, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), importPath+" ")
		if !ok {
			continue
		}
		if name, why, fails := strings.Cut(name, ": fails: "); fails {
			x.Failed[name] = why
		} else {
			x.Names = append(x.Names, name)
		}
	}
	return x
}

// measure has tare run each benchmark for one operation in a fork of its own, and adds what fails then.
func (o *options) measure(ctx context.Context, p pkg, r *result) {
	file := filepath.Join(o.work, "run.jsonl")
	defer os.Remove(file)
	out := o.run(ctx, p, o.tare, "bench", "--forks=1", "--warmup=0", "--iterations=1", "--benchtime=1x",
		"--no-repeat", "--no-lock", "--no-priority", "--progress=none", "--format=json", "-o", file, p.importPath)
	r.MeasureSeconds = out.seconds
	x, err := readRecord(file)
	switch {
	case out.timedOut:
		r.Measured = overLimit
		return
	case err != nil:
		r.Measured, r.Tare.State, r.Tare.Why = failed, unbuilt, errorLine(string(out.stderr))
		return
	}
	r.Measured, r.Tare.Names, r.Tare.Failed = completed, x.Names, x.Failed
}

// errorLine returns the line of tare's error.
func errorLine(stderr string) string {
	if _, after, ok := strings.Cut(stderr, "tare: error: "); ok {
		return firstLine(after)
	}
	return firstLine(stderr)
}

// readRecord reads which benchmarks were measured and which failed.
func readRecord(file string) (outcome, error) {
	x := outcome{State: completed, Failed: map[string]string{}}
	names := map[int]string{}
	measured := map[int]bool{}
	var order []int
	for line, err := range record.ReadFile(file) {
		if err != nil {
			return x, err
		}
		switch l := line.(type) {
		case *record.Case:
			names[l.ID] = l.Name
			order = append(order, l.ID)
		case *record.Fork:
			if l.State != record.StateOK {
				x.Failed[names[l.Case]] = l.Why
			} else if l.Purpose == record.PurposeTiming {
				measured[l.Case] = true
			}
		}
	}
	for _, id := range order {
		if measured[id] {
			x.Names = append(x.Names, names[id])
			delete(x.Failed, names[id])
		}
	}
	return x, nil
}
