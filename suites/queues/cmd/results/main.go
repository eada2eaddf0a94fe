// Command results turns records of this suite into tables and charts:
//
//	go run ./cmd/results -o results -readme README.md ratios.jsonl matrix.jsonl
//
// It writes results.md, SVG charts and NAME.jsonl.gz, the records without the
// directories of the machine, and puts the table of ratios into the README, between
// two marks. What it has kept it can read again:
//
//	go run ./cmd/results -o results -readme README.md results/*.jsonl.gz
//
// With -needs it prints which benchmarks the table of ratios needs, as a filter.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tarebench/tare/suites/published"
)

func main() { published.Main("results", start) }

func start(args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("results", flag.ContinueOnError)
	fs.SetOutput(stderr)
	dir := fs.String("o", "results", "`directory` to write to")
	readme := fs.String("readme", "", "`file` to put the table of ratios into; default: none")
	commit := fs.String("commit", "", "`revision` of tare and the suite, where the records name none")
	expression := fs.Bool("needs", false, "print the --filter of tare bench that chooses what the table of ratios needs, and stop")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if *expression {
		_, err := fmt.Fprintln(stdout, needs())
		return err
	}
	if fs.NArg() == 0 {
		return fmt.Errorf("want the names of records")
	}
	res, err := read(fs.Args())
	if err != nil {
		return err
	}
	res.revision = *commit
	if err := os.MkdirAll(*dir, 0o777); err != nil {
		return err
	}
	if err := res.writeAll(*dir); err != nil {
		return err
	}
	if *readme == "" {
		return nil
	}
	return res.writeReadme(*readme)
}

// writeAll writes everything but the README.
func (res *result) writeAll(dir string) error {
	var tables bytes.Buffer
	res.markdown(&tables)
	if err := os.WriteFile(filepath.Join(dir, "results.md"), tables.Bytes(), 0o666); err != nil {
		return err
	}
	if err := published.WriteCharts(dir+string(filepath.Separator), res.charts()); err != nil {
		return err
	}
	for _, r := range res.runs {
		to := filepath.Join(dir, strings.TrimSuffix(filepath.Base(r.name), ".gz")+".gz")
		if sameFile(r.name, to) {
			continue // that is where it was read from
		}
		if err := keep(r.name, to); err != nil {
			return err
		}
	}
	return nil
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
