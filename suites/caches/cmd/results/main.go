// Command results turns a record of this suite into a table and charts:
//
//	tare bench --bench ReadThrough --env CACHES=scaled --prof mem --forks 11 --prof-forks 11 --iterations 1 --time 100ms -o caches.jsonl .
//	go run ./cmd/results -o results caches.jsonl
//
// It writes NAME.md, NAME-throughput.svg, NAME-heap.svg and NAME-peak.svg, where NAME
// is the size of the experiment, and NAME.jsonl, the record without the directories
// of the machine.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/tarebench/tare/suites/published"
)

func main() { published.Main("results", run) }

func run(args []string, _, stderr io.Writer) error {
	fs := flag.NewFlagSet("results", flag.ContinueOnError)
	fs.SetOutput(stderr)
	dir := fs.String("o", "results", "`directory` to write to")
	commit := fs.String("commit", "", "`revision` of tare and the suite, where the record names none")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if fs.NArg() != 1 {
		return fmt.Errorf("want one record file, got %d", fs.NArg())
	}
	in, err := os.ReadFile(fs.Arg(0))
	if err != nil {
		return err
	}
	res, err := read(bytes.NewReader(in), fs.Arg(0))
	if err != nil {
		return err
	}
	if *commit != "" {
		res.commit = *commit
	}
	if err := os.MkdirAll(*dir, 0o777); err != nil {
		return err
	}
	return res.write(*dir, in, fs.Arg(0))
}

// write writes all files of a result.
func (r *result) write(dir string, in []byte, name string) error {
	base := filepath.Join(dir, r.name)
	var table bytes.Buffer
	r.markdown(&table)
	if err := os.WriteFile(base+".md", table.Bytes(), 0o666); err != nil {
		return err
	}
	if err := published.WriteCharts(base+"-", r.charts()); err != nil {
		return err
	}
	var out bytes.Buffer
	if err := published.Clean(&out, bytes.NewReader(in), name); err != nil {
		return err
	}
	return os.WriteFile(base+".jsonl", out.Bytes(), 0o666)
}
