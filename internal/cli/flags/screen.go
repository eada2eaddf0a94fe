package flags

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// MaxDaily is how many flags the short help of a verb shows at most. A verb that has no more shows them all.
const MaxDaily = 16

// daily is the annotation of flags that the short help shows.
const daily = "tare_daily"

// Daily has the short help of a verb show these flags.
func Daily(fl *pflag.FlagSet, names ...string) {
	for _, name := range names {
		fl.SetAnnotation(name, daily, nil)
	}
}

// helpAll is the flag that asks for all of a help text.
const helpAll = "help-all"

// allOfHelp is the value of --help-all. Setting it sets --help, too.
type allOfHelp struct{ *pflag.Flag }

func (f allOfHelp) Set(v string) error { return f.Value.Set(v) }
func (f allOfHelp) String() string     { return "false" }
func (f allOfHelp) Type() string       { return "bool" }

// AddHelpAll gives a command and all below it the flag --help-all.
func AddHelpAll(root *cobra.Command) {
	EachCommand(root, func(cmd *cobra.Command) {
		cmd.InitDefaultHelpFlag()
		f := cmd.Flags().VarPF(allOfHelp{cmd.Flags().Lookup("help")}, helpAll, "", "show all flags of "+cmd.Name()+" with their full descriptions")
		f.NoOptDefVal = "true"
	})
}

// screen writes what fits on a screen of 40 lines.
func (h *help) screen(cmd *cobra.Command) {
	about, _, _ := strings.Cut(strings.Trim(cmp.Or(cmd.Long, cmd.Short), "\n"), "\n\n")
	h.prose(about)
	h.section("Usage")
	h.usage(cmd)
	if examples := strings.Split(strings.Trim(cmd.Example, "\n"), "\n"); examples[0] != "" {
		h.section("Examples")
		h.line(strings.Join(examples[:min(2, len(examples))], "\n"))
	}
	h.verbs(cmd)
	list, all := dailyFlags(cmd)
	if all == 0 {
		return
	}
	h.section("Flags")
	wide := 0
	for _, f := range list {
		if name, _ := typed(f); len(name) < usageStart {
			wide = max(wide, len(name))
		}
	}
	for _, f := range list {
		name, text := typed(f)
		h.entry(name, inShort(text)+shownDefault(f), wide+2)
	}
	h.line("\n" + fmt.Sprintf("%q shows full descriptions", cmd.CommandPath()+" --"+helpAll) + more(len(list), all) + ".")
}

// inShort returns the first clause of a description, without examples and details.
func inShort(text string) string {
	for _, end := range []string{"; ", ": ", " ("} {
		text, _, _ = strings.Cut(text, end)
	}
	return text
}

func more(shown, all int) string {
	if shown == all {
		return ""
	}
	return fmt.Sprintf(", and %d more flags", all-shown)
}

// dailyFlags returns the flags that the short help shows, those with a short form first, and how many there are.
func dailyFlags(cmd *cobra.Command) (list []*pflag.Flag, all int) {
	var marked []*pflag.Flag
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" || f.Name == helpAll {
			return
		}
		list = append(list, f)
		if _, ok := f.Annotations[daily]; ok {
			marked = append(marked, f)
		}
	})
	all = len(list)
	if all > MaxDaily {
		list = marked
	}
	return slices.Clip(shortFirst(list)), all
}
