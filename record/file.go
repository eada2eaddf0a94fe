package record

import (
	"iter"
	"os"
)

// ReadFile yields the lines of a record file, as [Reader.All] does. The first error is that of opening it, if it cannot be opened.
//
//	for line, err := range record.ReadFile("run.jsonl") {
//		if err != nil {
//			return err // or go on: what was read counts
//		}
//		…
//	}
func ReadFile(name string) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		f, err := os.Open(name)
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close()
		for line, err := range NewReader(f, name).All() {
			if !yield(line, err) {
				return
			}
		}
	}
}
