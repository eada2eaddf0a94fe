package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// packageArgument takes the argument of tare load and its verbs: a Go package that is the target.
func (f *loadFlags) packageArgument(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case len(args) > 1:
		return usageError(fmt.Errorf("%s takes one Go package, and was given %q, too", cmd.CommandPath(), args[1]), "")
	}
	f.Target = args[0]
	if strings.ContainsAny(f.Target, "./") {
		if strings.Contains(f.Target, "://") {
			return usageError(fmt.Errorf("%s takes a Go package, and a URL is no package", cmd.CommandPath()), "--db takes the URL")
		}
		return nil
	}
	hint := "a directory is written ./" + f.Target
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(f.Target); len(near) > 0 {
		hint = "did you mean: " + cmd.CommandPath() + " " + near[0]
	}
	if slices.Contains(f.databases, f.Target) {
		hint = "did you mean: --db " + f.Target
	}
	return usageError(fmt.Errorf("%s takes a Go package, and was given %q", cmd.CommandPath(), f.Target), hint)
}
