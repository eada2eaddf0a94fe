package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/tarebench/tare/suites/caches"
)

// program is the built benchmark.
type program struct {
	path   string
	window time.Duration
}

func (p *program) build() error {
	cmd := exec.Command("go", "test", "-trimpath", "-c", "-o", p.path, "github.com/tarebench/tare/suites/caches")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("building the benchmark: %w", err)
	}
	return nil
}

// peak runs the benchmark of a cache once and returns the peak of its resident memory in bytes. It has this process's
// environment, so that GOGC, GOMEMLIMIT and CACHES apply.
func (p *program) peak(cache string, entries int) (int64, error) {
	cmd := exec.Command(p.path, "-test.run=^$", "-test.bench=^BenchmarkEqualMemory$", "-test.benchtime="+p.window.String())
	e := caches.Equal{Budget: 1e6, Entries: map[string]int{cache: entries}} // the budget is only a part of the name
	cmd.Env = append(os.Environ(), caches.EqualVariable+"="+e.String())
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("%d entries: %w: %s", entries, err, lastLine(append(out, errs.Bytes()...)))
	}
	return peakOf(string(out))
}

func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}

// peakOf returns the peak that a benchmark's output reports.
func peakOf(out string) (int64, error) {
	for line := range strings.Lines(out) {
		f := strings.Fields(line)
		for i := 1; i < len(f); i++ {
			if f[i] != caches.PeakUnit {
				continue
			}
			x, err := strconv.ParseFloat(f[i-1], 64)
			if err != nil {
				return 0, fmt.Errorf("%s: %w", line, err)
			}
			return int64(x), nil
		}
	}
	return 0, errors.New("the benchmark reports no peak of resident memory: only Linux has it")
}
