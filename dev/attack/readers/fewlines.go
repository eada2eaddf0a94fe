//go:build linux

package readers

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/tarebench/tare/dev/attack/fewlines"
	"github.com/tarebench/tare/dev/attack/target"
)

// fewInputs is the number of files of few lines at scale 1. fewGroups is how many groups of command lines each is given to: in the
// same time, more files find more than more command lines for each.
const (
	fewInputs = 100_000
	fewGroups = 1
)

// fewLines are records of few lines, drawn and not damaged.
func fewLines(c target.Config) (reader, error) {
	var all []base
	for _, pattern := range []string{golden + "*.jsonl", "record/testdata/v1.jsonl", "internal/result/testdata/*.jsonl"} {
		some, err := files(c, pattern, nil)
		if err != nil {
			return reader{}, err
		}
		all = append(all, some...)
	}
	var records [][]byte
	for _, b := range all {
		records = append(records, b.data)
	}
	source, groups := fewlines.New(records...), fewlines.Commands()
	other := filepath.Join(c.Root, golden+"bench.jsonl")
	for _, group := range groups {
		for _, args := range group {
			for i := range args {
				if args[i] == fewlines.OtherHere {
					args[i] = other
				}
			}
		}
	}
	draw := func(rng *rand.Rand) base {
		return base{"few lines", source.File(rng), slices.Concat(fewlines.Draw(rng, groups, fewGroups)...)}
	}
	return reader{name: "few lines", suffix: ".jsonl", inputs: fewInputs, draw: draw}, nil
}

// smaller returns a file that is as small as it can be for the same kind of finding, where files are drawn.
func (a *attack) smaller(w *target.Worker, path string, file []byte, args []string, kind string) []byte {
	if a.reader.draw == nil || os.WriteFile(path, file, 0o666) != nil {
		return file
	}
	defer os.WriteFile(path, file, 0o666) // for the next command line
	return fewlines.Shrink(file, func(file []byte) bool {
		if os.WriteFile(path, file, 0o666) != nil {
			return false
		}
		o, err := w.Do(args)
		found := a.judge(args, o)
		return err == nil && len(found) > 0 && found[0].Kind == kind
	})
}

// clean removes what earlier command lines have written beside a file.
func clean(path string) error {
	written, err := filepath.Glob(path + "-*")
	for _, x := range written {
		if e := os.RemoveAll(x); err == nil {
			err = e
		}
	}
	return err
}
