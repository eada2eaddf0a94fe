package cli

import (
	"os/exec"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/plan"
	"github.com/tarebench/tare/internal/profiler/trace"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/runner"
	"github.com/tarebench/tare/load/kv"
)

// completeValues has the shell offer the values of flags, on every verb that has them.
func completeValues(root *cobra.Command, bindings []kv.Binding) {
	var dbs []string
	for _, b := range bindings {
		dbs = append(dbs, b.Name)
	}
	fixed := map[string][]string{
		"prof": profilerWords(), "db": dbs,
		"color":      {"auto", "always", "never"},
		"progress":   {"auto", "plain", "none"},
		"order":      {plan.Interleaved, plan.Grouped},
		"correction": {result.BenjaminiHochberg, result.Holm, result.NoCorrection},
	}
	eachCommand(root, func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			switch values := fixed[f.Name]; {
			case values != nil:
				cmd.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
			case f.Annotations[valuesAnnotation] != nil:
				cmd.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(f.Annotations[valuesAnnotation], cobra.ShellCompDirectiveNoFileComp))
			case f.Name == "against":
				cmd.RegisterFlagCompletionFunc(f.Name, completeRevision)
			}
		})
	})
}

// valuesAnnotation marks a flag with the values that it takes.
const valuesAnnotation = "tare-values"

// formatFlag registers --format, which takes one of the names; the first is the default.
func formatFlag(fl *pflag.FlagSet, format *string, names ...string) {
	fl.StringVar(format, "format", "", "`format` of stdout: "+strings.Join(names, ", ")+" (default "+names[0]+")")
	fl.SetAnnotation("format", valuesAnnotation, names)
}

// eachCommand calls f for cmd and all commands below it.
func eachCommand(cmd *cobra.Command, f func(*cobra.Command)) {
	f(cmd)
	for _, c := range cmd.Commands() {
		eachCommand(c, f)
	}
}

func profilerWords() []string {
	var out []string
	for _, p := range runner.Profilers(nil, trace.Config{}) {
		out = append(out, p.Name()+"\t"+p.Brief)
	}
	return out
}

// completeRevision offers branches and tags of the repository.
func completeRevision(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	out, err := exec.Command("git", "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes").Output()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return slices.DeleteFunc(strings.Split(string(out), "\n"), func(s string) bool { return s == "" }), cobra.ShellCompDirectiveNoFileComp
}
