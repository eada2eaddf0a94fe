// Command readrecord prints the median time of each benchmark in a record file.
//
//	tare bench -o run.jsonl sort
//	go run ./examples/readrecord run.jsonl
//
// The value of a fork is the median of its measured iterations. The figure is the median over
// the forks: what tare report prints, without the interval and the warnings.
package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/tarebench/tare/record"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: readrecord FILE")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "readrecord:", err)
		os.Exit(1)
	}
}

func run(name string, w io.Writer) error {
	cases := map[int]*record.Case{}
	iterations := map[int][]float64{} // by fork, ns/op
	forks := map[int][]float64{}      // by case: one value for each fork
	for line, err := range record.ReadFile(name) {
		if file := (*fs.PathError)(nil); errors.As(err, &file) {
			return err
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "readrecord:", err) // a malformed line, or the end of a run that was killed
			continue
		}
		switch l := line.(type) {
		case *record.Case:
			cases[l.ID] = l
		case *record.Sample:
			if ns, ok := l.V.Get("ns/op"); ok && l.Phase == record.PhaseMeasure && l.Role == "" {
				iterations[l.Fork] = append(iterations[l.Fork], ns)
			}
		case *record.Fork: // comes after its samples
			if values := iterations[l.ID]; l.Purpose == record.PurposeTiming && l.State == record.StateOK && len(values) > 0 {
				forks[l.Case] = append(forks[l.Case], median(values))
			}
			delete(iterations, l.ID)
		}
	}
	for id := range len(cases) {
		if c, values := cases[id+1], forks[id+1]; len(values) > 0 {
			fmt.Fprintf(w, "%s.%s: %.1f ns/op, %d forks\n", c.Pkg, c.Name, median(values), len(values))
		}
	}
	return nil
}

func median(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}
