// Command results turns records of this suite into a table and charts:
//
//	tare bench --bench 'Arrays/size=1024$' --benchtime 5000x --forks 11 -o 1024.jsonl .
//	…
//	go run ./cmd/results -o results 1024.jsonl 32768.jsonl 1048576.jsonl
//
// Each size may have a record of its own, because with a number of operations that is
// fixed they need different ones. It writes arrays.md and arrays-OP.svg for each operation.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/suites/arrays"
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
	if fs.NArg() == 0 {
		return errors.New("want at least one record file")
	}
	res := &suiteResult{found: map[key]*result.Benchmark{}}
	for _, name := range fs.Args() {
		if err := res.read(name); err != nil {
			return err
		}
	}
	if len(res.found) == 0 {
		return fmt.Errorf("%s: no results of this suite; measure with --bench Arrays", strings.Join(fs.Args(), ", "))
	}
	if *commit != "" {
		res.commit = *commit
	}
	if err := os.MkdirAll(*dir, 0o777); err != nil {
		return err
	}
	return res.write(*dir)
}

// suiteResult is what the records of the suite say.
type suiteResult struct {
	runs   []*result.Result
	commit string
	found  map[key]*result.Benchmark
}

// key is a benchmark of the suite.
type key struct{ size, op, typ string }

// read adds a record.
func (r *suiteResult) read(name string) error {
	in, err := os.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	s, err := result.Read(in, name)
	if err != nil {
		return err
	}
	if s.Run == nil {
		return fmt.Errorf("%s: the record does not begin with its header", name)
	}
	r.runs = append(r.runs, s)
	r.commit = s.Run.Tare
	if len(s.Run.Sides) > 0 && s.Run.Sides[0].Revision != "" {
		r.commit = s.Run.Sides[0].Revision
	}
	for i := range s.Results {
		x := &s.Results[i]
		p := map[string]string{}
		for _, param := range x.Params {
			p[param.Key] = param.Value
		}
		known := slices.Contains(arrays.Ops(), p["op"]) && slices.Contains(arrays.Types(), p["type"])
		if known && (x.Unit == "ns/op" || x.Failed != "") {
			r.found[key{p["size"], p["op"], p["type"]}] = x
		}
	}
	return nil
}

// write writes all files of a result.
func (r *suiteResult) write(dir string) error {
	base := filepath.Join(dir, "arrays")
	var table bytes.Buffer
	r.markdown(&table)
	if err := os.WriteFile(base+".md", table.Bytes(), 0o666); err != nil {
		return err
	}
	return published.WriteCharts(base+"-", r.charts())
}
