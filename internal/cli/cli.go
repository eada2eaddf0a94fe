package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/joblog"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/suggest"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/show/live"
	"github.com/tarebench/tare/load/kv"
)

// streams are where a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
	log      *joblog.Log // of the job that out and err are part of
}

// Config says what a command is made of, besides what every one of them has.
type Config struct {
	Bindings []kv.Binding // what tare load can load

	// Run replaces this process by another program, as [Replace] does. nil in tests and in tare-full, to which it hands
	// over.
	Run func(path string, args []string) error

	Agents func() Agents                                         // flags of load by other processes; nil in a program that has none
	Agent  func(in io.Reader, out, err io.Writer) *cobra.Command // the verb agent; nil in a program that has none
}

// panicked is the exit code of a program that panics, as of any Go program.
const panicked = 2

// Main runs the command line and returns the exit code.
func Main(c Config, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	if len(args) == 1 && args[0] == live.Verb {
		return serveLive(streams{in: stdin, out: stdout, err: stderr})
	}
	redact.AddPairs(os.Environ())
	redact.AddArgs(args)
	log, stdout, stderr := joblog.Open(os.Getenv, stdout, stderr)
	defer log.Resume()
	out := exit.NewOutput(stdout)
	stderr = exit.NewMessages(stderr)
	s := streams{stdin, out, stderr, log}
	defer func() {
		if v := recover(); v != nil {
			fmt.Fprintf(stderr, "panic: %v\n\n%s", v, debug.Stack())
			code = panicked
		}
	}()
	root := newRoot(s, c)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(out)
	root.SetErr(stderr)
	refuseArguments(root)
	cmd, err := root.ExecuteC()
	if needs := (*exit.NeedsFull)(nil); errors.As(err, &needs) {
		log.Resume() // the other program stops commands itself
		err = handOver(c, args, needs)
	}
	if err == nil {
		err = out.Err()
	}
	if err == nil {
		return exit.Done
	}
	code = printError(stderr, cmd, err)
	if code == exit.Misuse && slices.Contains(args, "--bisect-exit") {
		return gitAbort
	}
	return code
}

// Command returns the command with all its verbs, for who documents it. It reads
// and writes nothing until it is run.
func Command(c Config) *cobra.Command {
	return newRoot(streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard}, c)
}

func newRoot(s streams, c Config) *cobra.Command {
	root := &cobra.Command{
		Use:   "tare",
		Short: "Measure Go programs, and subtract the overhead of measuring",
		Long: `tare runs Go benchmarks as interleaved forks, loads services on a schedule, says how
far each figure can be trusted, and subtracts the overhead of measuring.

  tare VERB --help       a screen about a verb
  tare VERB --help-all   everything about it
  tare --version`,
		Example: `  0 done · 1 something failed · 2 wrong usage · 3 a gate or an objective was missed
  4 not decided, or not trusted · 129, 130, 143 interrupted; what was measured is kept`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,

		PersistentPreRun: func(cmd *cobra.Command, args []string) {
			if cmd.Name() != "version" { // which has nothing to print of others
				s.log.Stop()
			}
			flags.PrintReplaced(cmd)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if wanted, _ := cmd.Flags().GetBool("version"); wanted {
				return printVersion(s)
			}
			if len(args) == 0 {
				return cmd.Help()
			}
			return unknownVerb(cmd, args[0])
		},
	}
	root.SetFlagErrorFunc(flags.Error)
	root.SetHelpFunc(flags.WriteHelp)
	root.Flags().BoolP("version", "v", false, "print the version")
	root.SuggestionsMinimumDistance = 2
	addVerbs(root, s, c)
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveDefault)
	flags.AddHelpAll(root)
	flags.Complete(root)
	return root
}

// addVerbs adds all verbs, in the groups and the order of the help text.
func addVerbs(root *cobra.Command, s streams, c Config) {
	cobra.EnableCommandSorting = false
	agent := newAgent
	if c.Agent != nil {
		agent = func() *cobra.Command { return c.Agent(s.in, s.out, s.err) }
	}
	for _, g := range []struct {
		title string
		verbs []*cobra.Command
	}{
		{"Compare", []*cobra.Command{newBench(s), newCompare(s), newCI(s), newWhy(s), newBisect(s), newHistory(s)}},
		{"Look", []*cobra.Command{newAsm(s), newTrace(s), newSample(s), newContrast(s), newLayout(s), newTime(s)}},
		{"Load", []*cobra.Command{newLoad(s, c), newHist(s), agent()}},
		{"Trust", []*cobra.Command{newSelftest(s), newDoctor(s)}},
		{"Files", []*cobra.Command{newReport(s), newVersion(s)}},
	} {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, verb := range g.verbs {
			verb.GroupID = g.title
			root.AddCommand(verb)
		}
	}
	root.SetHelpCommandGroupID("Files")
	root.SetCompletionCommandGroupID("Files")
}

// noArguments returns an error if a verb that takes no arguments gets one.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usageError(fmt.Errorf("%s takes no argument, and was given %q", cmd.CommandPath(), args[0]), "")
}

// refuseArguments refuses what cobra's own verbs let pass: help for what there
// is not, and scripts for other shells. They write to the root's output as it is
// now.
func refuseArguments(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Args = func(_ *cobra.Command, args []string) error {
				if found, _, _ := root.Find(args); found == root && len(args) > 0 {
					return unknownVerb(root, args[0])
				}
				return nil
			}
		case "completion":
			c.Args, c.RunE = cobra.ArbitraryArgs, completionFor
			for _, shell := range c.Commands() {
				shell.Args = noArguments
			}
			flags.AddHelpAll(c)
		}
	}
}

// completionFor runs where no known shell was named.
func completionFor(cmd *cobra.Command, args []string) error {
	var shells []string
	for _, c := range cmd.Commands() {
		shells = append(shells, c.Name())
	}
	hint := "tare completion " + strings.Join(shells, "|")
	if len(args) == 0 {
		return usageError(errors.New("completion needs the name of a shell"), hint)
	}
	return usageError(fmt.Errorf("no completion for the shell %q", args[0]), hint)
}

// ofOtherTools are words of other tools, with the verbs that do the same.
var ofOtherTools = map[string]string{
	"benchmark": "bench", "run": "bench", "test": "bench", "diff": "compare", "cmp": "compare", "benchstat": "compare", "pprof": "sample",
	"profile": "sample", "perf": "sample", "annotate": "asm", "stat": "time", "hyperfine": "time", "attack": "load", "percentiles": "hist",
}

func unknownVerb(root *cobra.Command, verb string) error {
	hint := "tare help"
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	if other := ofOtherTools[verb]; other != "" {
		hint = "tare " + other
	} else if near := suggest.Nearest(verb, names, 2); near != "" {
		hint = "did you mean: tare " + near
	}
	return usageError(fmt.Errorf("there is no verb %q", verb), hint)
}

func usageError(err error, hint string) error { return exit.Usage(err, hint) }
func failed(err error, hint string) error     { return exit.Failed(err, hint) }

// printError prints an error for people and returns the exit code.
func printError(w io.Writer, cmd *cobra.Command, err error) int {
	hint := ""
	if cmd != nil {
		hint = "see " + cmd.CommandPath() + " --help"
	}
	return exit.Print(w, err, hint)
}
