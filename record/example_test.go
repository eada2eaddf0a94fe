package record_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tarebench/tare/record"
)

// A run of one case with one fork is written down and read again.
func Example() {
	var file strings.Builder
	w := record.NewWriter(&file)
	w.Write(&record.Run{Tare: "v0.1.0", Seed: 0x7f3a})
	w.Write(&record.Bin{ID: 1, Pkg: "example.org/codec"})
	w.Write(&record.Case{ID: 1, Pkg: "example.org/codec", Name: "Encode", Bin: 1, Procs: 2, Mode: record.ModeN, N: 1000})
	for i, ns := range []int64{12_500, 12_250} {
		w.Write(&record.Sample{
			Fork: 1, Iter: i + 1, Phase: record.PhaseMeasure, Ns: ns, Ops: 1000,
			V: record.Values{{Unit: "ns/op", Value: float64(ns) / 1000}, {Unit: "allocs/op", Value: 2}},
		})
	}
	w.Write(&record.Fork{ID: 1, Case: 1, Bin: 1, Round: 1, Order: 1, Purpose: record.PurposeTiming, Exit: "0", State: record.StateOK})
	w.Write(&record.End{State: record.EndCompleted})
	if err := w.Err(); err != nil {
		fmt.Println(err)
	}

	names := map[int]string{}
	for l, err := range record.NewReader(strings.NewReader(file.String()), "example").All() {
		if err != nil {
			fmt.Println(err) // one bad line, or a last line that is cut off
			continue
		}
		switch l := l.(type) {
		case *record.Run:
			fmt.Println("seed", l.Seed)
		case *record.Case:
			names[l.ID] = l.Name
		case *record.Sample:
			ns, _ := l.V.Get("ns/op")
			fmt.Println("iteration", l.Iter, ns, "ns/op")
		case *record.Fork:
			fmt.Println("fork of", names[l.Case], l.State)
		}
	}
	// Output:
	// seed 7f3a
	// iteration 1 12.5 ns/op
	// iteration 2 12.25 ns/op
	// fork of Encode ok
}

// A killed process left half a line behind; another goes on.
func ExampleOpenAppend() {
	dir, err := os.MkdirTemp("", "record")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "run.jsonl")
	left := `{"k":"run","v":1,"tare":"v0.1.0"}` + "\n" + `{"k":"warn","about":"ru`
	if err := os.WriteFile(path, []byte(left), 0o666); err != nil {
		fmt.Println(err)
		return
	}

	f, cut, err := record.OpenAppend(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	fmt.Println("removed", cut, "bytes")
	if err := record.NewWriter(f).Write(&record.End{State: record.EndPartial, Why: "killed"}); err != nil {
		fmt.Println(err)
	}
	whole, _ := os.ReadFile(path)
	fmt.Printf("%s", whole)
	// Output:
	// removed 23 bytes
	// {"k":"run","v":1,"tare":"v0.1.0"}
	// {"k":"end","state":"partial","why":"killed"}
}

// The type of a reader's error is found with errors.As.
func ExampleReader_Next() {
	r := record.NewReader(strings.NewReader("goos: linux\n"), "old.txt")
	_, err := r.Next()
	if other, ok := errors.AsType[*record.NotRecordError](err); ok {
		fmt.Println(other.Found)
	}
	fmt.Println(err)
	// Output:
	// a Go benchmark text
	// old.txt:1: not a record file: found a Go benchmark text
}
