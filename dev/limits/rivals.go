//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// vegeta runs suites/http, and returns the CPU time of a request divided by that with vegeta.
func vegeta(l *lab) (figure, error) {
	cmd := exec.CommandContext(l.ctx, "go", "run", ".", "-rounds", "9", "-duration", "5s")
	cmd.Dir = "suites/http"
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, l.log
	if err := cmd.Run(); err != nil {
		return figure{}, fmt.Errorf("suites/http: %w", err)
	}
	return ratioIn(out.String(), "tare, sleep")
}

// ratioIn returns the ratio and its interval from a table of suites/http: the third and the fourth cell of the row of a generator.
func ratioIn(table, generator string) (f figure, err error) {
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) < 5 || strings.TrimSpace(cells[1]) != generator {
			continue
		}
		f.unit = "×"
		if f.value, err = strconv.ParseFloat(strings.TrimSpace(cells[3]), 64); err != nil {
			return figure{}, err
		}
		_, err = fmt.Sscanf(strings.TrimSpace(cells[4]), "%g to %g", &f.lo, &f.hi)
		return f, err
	}
	return figure{}, fmt.Errorf("the suite printed no row of %s", generator)
}
