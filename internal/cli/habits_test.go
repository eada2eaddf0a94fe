package cli

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/job"
)

// TestFlagHints: a flag of another tool is refused with the name of tare's flag.
func TestFlagHints(t *testing.T) {
	for line, want := range map[string]string{
		"bench -bench X":      "--bench",
		"bench -benchtime 1s": "--time 1s",
		"bench -count=10":     "--forks 10",
		"bench --count 10":    "--forks 10",
		"bench -list":         "long flags have two dashes: --list",
		"asm -list":           "--dry-run lists",
		"bench -benchmem":     "leave it out",
		"bench --frks 3":      "did you mean --forks?",
		"load --durration 3s": "did you mean --duration?",
		"time --min-runs 3":   "--runs 10",
		"layout --min-runs 3": "see tare layout --help",
	} {
		var out, errs bytes.Buffer
		code := Main(Config{}, strings.Fields(line), strings.NewReader(""), &out, &errs)
		_, hint, _ := strings.Cut(errs.String(), "tare: hint: ")
		if code != exit.Misuse || !strings.Contains(hint, want) {
			t.Errorf("%s: exit %d and %q, want %d and a hint with %q", line, code, errs.String(), exit.Misuse, want)
		}
	}
}

// TestHabitsNameFlags: a hint does not name a flag that no verb has.
func TestHabitsNameFlags(t *testing.T) {
	known := map[string]bool{}
	eachFlag(func(_ *cobra.Command, f *pflag.Flag) { known[f.Name] = true })
	for habit, hint := range flags.Habits {
		for _, word := range strings.Fields(hint) {
			if name, ok := strings.CutPrefix(strings.TrimRight(word, ":,"), "--"); ok && !known[name] {
				t.Errorf("-%s: the hint %q names --%s, which no verb has", habit, hint, name)
			}
		}
	}
}

// TestShortHelp: --help is a screen of 40 lines, in 80 columns, with at most 16 flags. --help-all has all flags.
func TestShortHelp(t *testing.T) {
	flags.EachCommand(Command(Config{}), func(cmd *cobra.Command) {
		text := flags.Help(cmd, 80)
		if lines := strings.Count(text, "\n"); lines > 40 && !cobraOwn(cmd) {
			t.Errorf("%s --help has %d lines, want at most 40:\n%s", cmd.CommandPath(), lines, text)
		}
		_, list, _ := strings.Cut(text, "\nFlags:\n")
		if count := len(flagLine.FindAllString(list, -1)); count > flags.MaxDaily {
			t.Errorf("%s --help has %d flags, want at most %d:\n%s", cmd.CommandPath(), count, flags.MaxDaily, text)
		}
		if err := cmd.Flags().Set("help-all", "true"); err != nil || !cmd.HasParent() {
			return
		}
		all := flags.Help(cmd, 80)
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && !strings.Contains(all, "--"+f.Name) {
				t.Errorf("%s --help-all has no --%s", cmd.CommandPath(), f.Name)
			}
		})
	})
}

// flagLine begins the line of a flag.
var flagLine = regexp.MustCompile(`(?m)^ +(-\w, )?--`)

// cobraOwn reports whether a command and its help are cobra's.
func cobraOwn(cmd *cobra.Command) bool {
	return cmd.Name() == "completion" || cmd.HasParent() && cmd.Parent().Name() == "completion"
}

// TestFlagGroups: each flag is in one group of the help texts.
func TestFlagGroups(t *testing.T) {
	times := map[string]int{}
	for _, g := range flags.Groups {
		for _, name := range g.Flags {
			times[name]++
		}
	}
	headings := map[string]string{}
	for _, o := range job.AllOptions() {
		if headings[o.Name] != o.Group { // options that two jobs have are in one group
			headings[o.Name] = o.Group
			times[o.Name]++
		}
	}
	eachFlag(func(cmd *cobra.Command, f *pflag.Flag) {
		if !f.Hidden && times[f.Name] != 1 {
			t.Errorf("%s --%s is in %d groups of flags.Groups", cmd.CommandPath(), f.Name, times[f.Name])
		}
	})
}

// TestFlagTypes: a flag takes the same kind of value on every verb that has it.
func TestFlagTypes(t *testing.T) {
	types, on := map[string]string{}, map[string]string{}
	eachFlag(func(cmd *cobra.Command, f *pflag.Flag) {
		switch kind := strings.TrimSuffix(f.Value.Type(), "Array"); { // -o is a list where it may be repeated
		case f.Hidden:
		case types[f.Name] == "":
			types[f.Name], on[f.Name] = kind, cmd.CommandPath()
		case types[f.Name] != kind:
			t.Errorf("--%s takes %s on %s, and %s on %s", f.Name, types[f.Name], on[f.Name], kind, cmd.CommandPath())
		}
	})
}

func eachFlag(f func(*cobra.Command, *pflag.Flag)) {
	root := newRoot(streams{}, Config{})
	flags.EachCommand(root, func(cmd *cobra.Command) {
		cmd.InitDefaultHelpFlag()
		cmd.Flags().VisitAll(func(flag *pflag.Flag) { f(cmd, flag) })
	})
}
