// Command capacities finds how many entries each cache may have so that its process stays within one budget of resident
// memory, and prints them for BenchmarkEqualMemory:
//
//	export CACHES_EQUAL=$(go run ./cmd/capacities -budget 100MB)
//	tare bench --bench EqualMemory -o equal.jsonl .
//
// It builds the benchmark and runs it in a process for each try, because the peak of a process does not fall.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tarebench/tare/suites/caches"
	"github.com/tarebench/tare/suites/published"
)

func main() { published.Main("capacities", run) }

func run(args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("capacities", flag.ContinueOnError)
	fs.SetOutput(stderr)
	budget := fs.String("budget", "100MB", "resident memory of each process at its peak, in `MB`")
	only := fs.String("only", "", "`names` of caches, separated by commas (default all)")
	window := fs.Duration("window", 2*time.Second, "`time` for which each try reads through the cache")
	if err := fs.Parse(args); err != nil {
		return err
	}
	bytes, err := caches.ParseBudget(*budget)
	if err != nil {
		return fmt.Errorf("-budget: %w", err)
	}
	kinds, err := chosen(*only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	dir, err := os.MkdirTemp("", "capacities")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p := program{path: filepath.Join(dir, "caches.test"), window: *window}
	if err := p.build(); err != nil {
		return err
	}
	e := caches.Equal{Budget: bytes, Entries: map[string]int{}}
	for _, k := range kinds {
		n, err := search(bytes, func(entries int) (int64, error) {
			peak, err := p.peak(k.Name, entries)
			if err == nil {
				fmt.Fprintf(stderr, "%s: %d entries, peak %.1f MB\n", k.Name, entries, float64(peak)/1e6)
			}
			return peak, err
		})
		if err != nil {
			return fmt.Errorf("%s: %w", k.Name, err)
		}
		e.Entries[k.Name] = n
	}
	_, err = fmt.Fprintln(stdout, e)
	return err
}

// chosen returns the caches of the names in a list, or all that have a bound.
func chosen(list string) ([]caches.Kind, error) {
	if list == "" {
		return caches.Bounded(), nil
	}
	var out []caches.Kind
	for name := range strings.SplitSeq(list, ",") {
		found := false
		for _, k := range caches.Bounded() {
			if k.Name == name {
				out, found = append(out, k), true
			}
		}
		if !found {
			return nil, fmt.Errorf("%q: there is no such cache with a bound", name)
		}
	}
	return out, nil
}
