package job

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/exit"
)

// freeFlags are flags of package testing that a fork may have besides those of tare: they
// change neither what is run nor what is printed.
var freeFlags = []string{"short", "parallel", "fullpath"}

// binaryArgs returns what the test binaries get behind the flags of tare: -test.short if
// short is asked for, and the words behind -- of the command line. It fails for flags of
// package testing that tare sets itself, or that change what it reads.
func binaryArgs(words []string, short bool) ([]string, error) {
	var out []string
	if short {
		out = append(out, "-test.short")
	}
	for _, w := range words {
		if w == "--" {
			break // behind it the binary reads no flags either
		}
		flag, dashed := strings.CutPrefix(w, "-")
		name, _, _ := strings.Cut(strings.TrimPrefix(flag, "-"), "=")
		of, testing := strings.CutPrefix(name, "test.")
		if dashed && testing && !slices.Contains(freeFlags, of) {
			return nil, exit.Usage(fmt.Errorf("-- %s: tare sets the flags of package testing", w), "use the flags of tare bench: see tare bench --help")
		}
	}
	return append(out, words...), nil
}
