package flags

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/tarebench/tare/internal/base/termtext"
)

// Columns of a help text. Where stdout is no terminal it is as wide as helpWidth.
const (
	helpWidth  = 100
	flagIndent = 4  // before a flag that has no short form
	usageStart = 30 // where the description of a flag starts
)

// WriteHelp is cobra's help function. It writes a screen: what the verb does, how it is called, two examples, and the flags
// that people use daily; with --help-all everything.
func WriteHelp(cmd *cobra.Command, _ []string) {
	io.WriteString(cmd.OutOrStdout(), Help(cmd, terminalWidth(cmd.OutOrStdout())))
}

// Help returns the help text of a command in lines of at most so many columns.
func Help(cmd *cobra.Command, width int) string {
	h := &help{width: width}
	cmd.InitDefaultHelpFlag()
	switch all := cmd.Flags().Lookup(helpAll); {
	case !cmd.HasParent():
		h.root(cmd)
	case all != nil && all.Changed:
		h.all(cmd)
	default:
		h.screen(cmd)
	}
	return h.text.String()
}

// root writes what there is.
func (h *help) root(cmd *cobra.Command) {
	h.prose(cmd.Long)
	h.verbs(cmd)
	h.section("Exit codes")
	h.prose(cmd.Example)
}

// all writes everything about a verb, the flags in groups.
func (h *help) all(cmd *cobra.Command) {
	h.prose(cmp.Or(cmd.Long, cmd.Short))
	h.section("Usage")
	h.usage(cmd)
	if cmd.Example != "" {
		h.section("Examples")
		h.line(strings.Trim(cmd.Example, "\n"))
	}
	h.verbs(cmd)
	h.flags(cmd)
}

// terminalWidth returns the columns of the terminal that w is, at most helpWidth
// so that lines stay readable, and helpWidth where w is none.
func terminalWidth(w io.Writer) int {
	if f, ok := w.(interface{ Fd() uintptr }); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			return max(40, min(n, helpWidth))
		}
	}
	return helpWidth
}

// help is a help text being written.
type help struct {
	width int
	text  strings.Builder
}

func (h *help) line(s string) { h.text.WriteString(s + "\n") }

func (h *help) section(title string) { h.line("\n" + title + ":") }

// prose writes paragraphs, each wrapped anew. A paragraph with an indented line
// is a table or an example: it stays as it is.
func (h *help) prose(s string) {
	for i, p := range strings.Split(strings.Trim(s, "\n"), "\n\n") {
		if i > 0 {
			h.line("")
		}
		if strings.HasPrefix(p, " ") || strings.Contains(p, "\n ") {
			h.line(p)
			continue
		}
		for _, l := range termtext.Wrap(strings.ReplaceAll(p, "\n", " "), h.width) {
			h.line(l)
		}
	}
}

func (h *help) usage(cmd *cobra.Command) {
	if cmd.Runnable() {
		h.line("  " + cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		h.line("  " + cmd.CommandPath() + " COMMAND")
	}
}

// verbs lists the commands below cmd, in their groups.
func (h *help) verbs(cmd *cobra.Command) {
	groups := cmd.Groups()
	if !cmd.HasAvailableSubCommands() {
		return
	}
	if len(groups) == 0 {
		groups = []*cobra.Group{{Title: "Commands"}}
	}
	wide := 0
	for _, c := range cmd.Commands() {
		wide = max(wide, len(c.Name()))
	}
	for _, g := range groups {
		h.section(g.Title)
		for _, c := range cmd.Commands() {
			if c.GroupID == g.ID && c.IsAvailableCommand() {
				h.entry("  "+c.Name(), c.Short, wide+4)
			}
		}
	}
	if cmd.HasParent() {
		h.line(fmt.Sprintf("\n%q tells more about a command.", cmd.CommandPath()+" COMMAND --help"))
	}
}

// entry writes a name and what it is, which starts at the column given or, where
// the name is longer, on a line of its own.
func (h *help) entry(name, text string, start int) {
	lines := termtext.Wrap(text, max(20, h.width-start))
	if termtext.Width(name)+2 > start {
		h.line(name)
	} else {
		h.line(strings.TrimRight(termtext.Left(name, start)+lines[0], " "))
		lines = lines[1:]
	}
	for _, l := range lines {
		h.line(termtext.Pad(start) + l)
	}
}

// flags writes the flags by group.
func (h *help) flags(cmd *cobra.Command) {
	byGroup := map[string][]*pflag.Flag{}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			byGroup[groupOf(f.Name)] = append(byGroup[groupOf(f.Name)], f)
		}
	})
	for _, g := range Groups {
		if list := byGroup[g.Title]; len(list) > 0 {
			h.section(g.Title)
			for _, f := range shortFirst(list) {
				h.flag(f)
			}
		}
	}
}

// shortFirst puts the flags that have a short form before the others.
func shortFirst(list []*pflag.Flag) []*pflag.Flag {
	slices.SortStableFunc(list, func(a, b *pflag.Flag) int {
		return btoi(a.Shorthand == "") - btoi(b.Shorthand == "")
	})
	return list
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (h *help) flag(f *pflag.Flag) {
	name, text := typed(f)
	h.entry(name, text+shownDefault(f), usageStart)
}

// typed returns how a flag is typed, indented, and what it does.
func typed(f *pflag.Flag) (name, text string) {
	value, text := pflag.UnquoteUsage(f)
	name = termtext.Pad(flagIndent) + "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", --" + f.Name
	}
	if value != "" {
		name += " " + value
	}
	return "  " + name, text
}

// shownDefault returns the default as it would be typed, in parentheses, "" for one that goes without saying.
func shownDefault(f *pflag.Flag) string {
	switch f.DefValue {
	case "", "0", "0s", "false", "[]":
		return ""
	}
	if strings.Contains(f.Usage, "(default ") {
		return ""
	}
	return " (default " + f.DefValue + ")"
}
