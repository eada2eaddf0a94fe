//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// vegeta compares the generator of HTTP requests with vegeta, by the suite of both. Its table has a row for each generator.
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

// ratioIn returns the ratio in the row of a generator, and its interval: the third cell and the fourth.
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
