package flags

import (
	"os/exec"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// offered is the annotation of a flag with the values that a shell offers for it.
const offered = "tare_values"

// Offer has the shell offer these values for a flag. A value may be followed by a tab and what
// it stands for.
func Offer(fl *pflag.FlagSet, name string, values ...string) {
	fl.SetAnnotation(name, offered, values)
}

// Complete registers the completion of flags' values for a command and all below it.
func Complete(root *cobra.Command) {
	EachCommand(root, func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			switch values := f.Annotations[offered]; {
			case values != nil:
				cmd.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
			case f.Name == "against":
				cmd.RegisterFlagCompletionFunc(f.Name, completeRevision)
			}
		})
	})
}

// EachCommand calls f for cmd and all commands below it.
func EachCommand(cmd *cobra.Command, f func(*cobra.Command)) {
	f(cmd)
	for _, c := range cmd.Commands() {
		EachCommand(c, f)
	}
}

// completeRevision offers branches and tags of the repository.
func completeRevision(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	out, err := exec.Command("git", "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes").Output()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return slices.DeleteFunc(strings.Split(string(out), "\n"), func(s string) bool { return s == "" }), cobra.ShellCompDirectiveNoFileComp
}

func join(names []string) string { return strings.Join(names, ", ") }
