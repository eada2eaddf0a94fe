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

// Lines returns what a job that was checked measures: the command, then those of Against and of Side.
func (c *Command) Lines() []Line { return c.lines(&exit.Problems{}) }

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
		case !ok || name == "" || strings.ContainsAny(name, " \t'\"") || strings.TrimSpace(line) == "":
			p.Add("--side %q is not of the form NAME=COMMAND", redact.Args([]string{"--side", s})[1])
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
func (c *Command) Base() int { return min(len(c.Words), len(c.Against)+len(c.Side), 1) }

// Around returns the words of what is run around a line of a job that was checked; none: nothing.
func (c *Command) Around(line int) (setup, prepare, cleanup []string) {
	words := func(lines []string) []string { return slices.Concat(c.split(&exit.Problems{}, "", lines)...) }
	if prepare = c.Prepare; len(prepare) > 1 {
		prepare = prepare[line : line+1]
	}
	return words(c.Setup), words(prepare), words(c.Cleanup)
}

// split returns the words of an option's command lines; with Shell each line is one word.
func (c *Command) split(p *exit.Problems, option string, lines []string) (out [][]string) {
	for _, line := range lines {
		words, err := []string{line}, error(nil)
		if !c.Shell {
			words, err = shellwords.Split(line)
		}
		switch {
		case err != nil:
			p.AddError(exit.Usage(fmt.Errorf("--%s: %w", option, err), "quote it, or let a shell run all commands: --shell"))
		case len(words) == 0 || strings.TrimSpace(line) == "":
			p.Add("--%s names no command", option)
		default:
			out = append(out, words)
		}
	}
	return out
}
