package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/tarebench/tare/suites/why"
)

// court asks tare why.
type court struct {
	program, from, keep string
	same                bool
	stderr              io.Writer
}

// answer is what is read of the output of tare why about a benchmark.
type answer struct {
	Comparison struct {
		Ratio   float64 `json:"ratio"`
		Verdict string  `json:"verdict"`
	} `json:"comparison"`
	Answer struct {
		Causes []cause `json:"causes"`
	} `json:"answer"`
}

type cause struct {
	Kind  string `json:"kind"`
	Wait  string `json:"wait"`
	What  string `json:"what"`
	Share struct {
		Value *float64 `json:"value"`
	} `json:"share"`
}

// first returns the ratio of the times, and the first cause in words.
func (a *answer) first() string {
	what := fmt.Sprintf("%.2f × %-12s ", a.Comparison.Ratio, a.Comparison.Verdict)
	if len(a.Answer.Causes) == 0 {
		return what + "-"
	}
	c := a.Answer.Causes[0]
	if v := c.Share.Value; v != nil {
		return fmt.Sprintf("%s%s (%.0f %%)", what, c.What, 100**v)
	}
	return what + c.What
}

// ask runs tare why on a seed. It examines the benchmark even if no difference was seen.
func (c *court) ask(s *why.Seed) (*answer, error) {
	dir, err := os.MkdirTemp("", "judge")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if c.keep != "" {
		record := filepath.Join(c.keep, s.Name+".jsonl")
		if _, err := os.Stat(record); err != nil {
			args, err := c.sides(s, dir)
			if err != nil {
				return nil, err
			}
			if _, err := c.tare(dir, append(args, "-o", record)...); err != nil {
				return nil, err
			}
		}
		return c.tare(dir, record)
	}
	args, err := c.sides(s, dir)
	if err != nil {
		return nil, err
	}
	return c.tare(dir, args...)
}

// sides writes both sides of a seed below dir, and returns the arguments that compare them.
func (c *court) sides(s *why.Seed, dir string) ([]string, error) {
	args := []string{"--bench", "^" + s.Benchmark + "$", "./" + s.Package}
	base, place := s.Base, "base"
	if c.same {
		base = s.Changed
	}
	if len(s.Edits) == 0 && !c.same {
		place = "changed" // the sides differ in settings only
	}
	for _, side := range []struct {
		name, dir string
		changed   bool
		build     why.Build
	}{{"base", place, c.same, base}, {"changed", "changed", true, s.Changed}} {
		if err := s.Write(filepath.Join(c.from, "base"), filepath.Join(dir, side.dir), side.changed); err != nil {
			return nil, err
		}
		if c.same && side.name == "base" {
			if err := moveLines(filepath.Join(dir, side.dir, s.Package)); err != nil {
				return nil, err
			}
		}
		args = append(args, "--side", side.name+"="+side.dir)
		for _, f := range side.build.Flags {
			args = append(args, "--side-flags", side.name+"="+f)
		}
		for _, v := range side.build.Env {
			args = append(args, "--side-env", side.name+"="+v)
		}
	}
	return args, nil
}

// moveLines puts a comment before the sources of a package: another binary, with the same machine code.
func moveLines(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(file, append([]byte("// This comment moves all lines.\n\n"), text...), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// tare runs tare why --all with further arguments, and returns what it says about the only benchmark.
func (c *court) tare(dir string, args ...string) (*answer, error) {
	args = append([]string{"why", "--all", "--format", "json", "--progress", "none", "--no-lock"}, args...)
	cmd := exec.Command(c.program, args...)
	cmd.Dir = dir
	var messages bytes.Buffer
	cmd.Stderr = &messages
	out, err := cmd.Output()
	if err != nil {
		fmt.Fprintf(c.stderr, "tare %s\n%s", strings.Join(args, " "), messages.String())
		return nil, err
	}
	var rows []answer
	if err := json.Unmarshal(out, &rows); err != nil {
		return nil, err
	}
	if len(rows) != 1 {
		return nil, fmt.Errorf("%d benchmarks, want one", len(rows))
	}
	return &rows[0], nil
}
