package benchrun

import (
	"errors"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
)

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
