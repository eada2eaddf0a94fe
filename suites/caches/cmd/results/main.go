// Command results turns a record of this suite into a table and charts:
//
//	tare bench --bench ReadThrough --env CACHES=scaled --prof mem --forks 11 --prof-forks 11 --iterations 1 --time 100ms -o caches.jsonl .
//	go run ./cmd/results -o results caches.jsonl
//
// A record with two sides, such as collectors, becomes a table of ratios.
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
	heaps := fs.String("heaps", "", "`record` of the same size that has what the heaps hold, where the first has not")
	commit := fs.String("commit", "", "`revision` of tare and the suite, where the record names none")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if fs.NArg() != 1 {
		return fmt.Errorf("want one record file, got %d", fs.NArg())
	}
	if err := os.MkdirAll(*dir, 0o777); err != nil {
		return err
	}
	res, in, err := readFile(fs.Arg(0))
	if err != nil {
		return err
	}
	if *heaps != "" {
		of, text, err := readFile(*heaps)
		if err != nil {
			return err
		}
		if err := res.addHeaps(of); err != nil {
			return fmt.Errorf("%s: %w", *heaps, err)
		}
		if err := writeClean(filepath.Join(*dir, res.name+"-heaps.jsonl"), text, *heaps); err != nil {
			return err
		}
	}
	if *commit != "" {
		res.commit = *commit
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
	return writeClean(base+".jsonl", in, name)
}

func readFile(name string) (*result, []byte, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, nil, err
	}
	res, err := read(bytes.NewReader(text), name)
	return res, text, err
}

// writeClean writes a record without the directories of the machine. The name is the
// input's, for errors.
func writeClean(to string, text []byte, name string) error {
	var out bytes.Buffer
	if err := published.Clean(&out, bytes.NewReader(text), name); err != nil {
		return err
	}
	return os.WriteFile(to, out.Bytes(), 0o666)
}
