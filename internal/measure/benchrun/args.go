package benchrun

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
)

// freeFlags are flags of package testing that a fork may have besides those of tare: they
// change neither what is run nor what is printed.
var freeFlags = []string{"short", "parallel", "fullpath"}

// BinaryArgs returns what the test binaries get behind the flags of tare: -test.short if
// short is asked for, and the words behind -- of the command line. It fails for flags of
// package testing that tare sets itself, or that change what it reads.
func BinaryArgs(words []string, short bool) ([]string, error) {
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

// redactedArgs returns arguments as they may be recorded.
func redactedArgs(args []string) []string {
	if len(args) == 0 {
		return nil
	}
	return redact.Args(args)
}

// checkArgs fails for a record that does not hold the arguments of its binaries.
func checkArgs(path string, args []string) error {
	if slices.ContainsFunc(args, func(a string) bool { return strings.Contains(a, redact.Placeholder) }) {
		return exit.Usage(errors.New("--resume "+path+": the record does not hold the secrets among the arguments behind --"), "start a new run")
	}
	return nil
}
