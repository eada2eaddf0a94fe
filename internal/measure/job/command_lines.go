package job

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/shellwords"
)

// Line is a command line that is measured.
type Line struct {
	Side  string   // its name; "": it follows from the words
	Words []string // for a shell one
}

// Lines returns what is measured: the command, then those of Against and of Side. It fails with all that is wrong with
// them.
func (c *Command) Lines() ([]Line, error) {
	p := &exit.Problems{}
	out := c.lines(p)
	return out, p.Err()
}

func (c *Command) lines(p *exit.Problems) (out []Line) {
	if len(c.Words) > 0 {
		out = append(out, Line{Words: c.Words})
	}
	for _, words := range c.split(p, "against", c.Against) {
		out = append(out, Line{Words: words})
	}
	for _, s := range c.Side {
		name, line, ok := strings.Cut(s, "=")
		switch {
		case !ok || name == "" || strings.TrimSpace(line) == "":
			p.Add("--side %q is not of the form NAME=COMMAND", redact.Command(s))
			continue
		case slices.ContainsFunc(out, func(l Line) bool { return l.Side == name }):
			p.Add("--side %s is given twice", name)
		}
		for _, words := range c.split(p, "side", []string{line}) {
			out = append(out, Line{name, words})
		}
	}
	return out
}

// Base returns the index in [Command.Lines] of what the others are compared with.
func (c *Command) Base() int {
	if len(c.Words) > 0 && len(c.Against)+len(c.Side) > 0 {
		return 1
	}
	return 0
}

// Split returns the words of an option's command lines; with Shell each line is one word. It fails with all that is wrong
// with them.
func (c *Command) Split(option string, lines []string) ([][]string, error) {
	p := &exit.Problems{}
	out := c.split(p, option, lines)
	return out, p.Err()
}

func (c *Command) split(p *exit.Problems, option string, lines []string) (out [][]string) {
	for _, line := range lines {
		words, err := []string{line}, error(nil)
		if !c.Shell {
			words, err = shellwords.Split(line)
		}
		switch {
		case err != nil:
			p.AddError(exit.Usage(fmt.Errorf("--%s: %w", option, err), "quote it, or let a shell run all commands: --shell"))
		case len(words) == 0 || line == "":
			p.Add("--%s names no command", option)
		default:
			out = append(out, words)
		}
	}
	return out
}
