package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/record"
)

// session checks all that can be checked before anything is opened.
func (f *timeFlags) session(cmd *cobra.Command, st streams, args []string) (*timing, error) {
	s := &benchSession{streams: st, start: time.Now()}
	s.flags = &benchFlags{noWait: f.noWait, strict: f.strict, show: f.show}
	var err error
	if s.format, err = f.show.check(); err != nil {
		return nil, err
	}
	if s.progress, err = session.NewProgress(st.err, f.progress); err != nil {
		return nil, err
	}
	s.run.Kind = record.KindTime
	if s.run.Config, err = f.config(cmd); err != nil {
		return nil, err
	}
	if s.run.Dir, err = os.Getwd(); err != nil {
		return nil, failed(err, "")
	}
	s.run.Seed = drawSeed(f.seed)
	s.secrets = session.NewRedactor(append(os.Environ(), f.setenv...)...).WithArgs(session.TypedArgs())
	t := &timing{benchSession: s, f: f}
	if err := t.commands(args); err != nil {
		return nil, err
	}
	if t.errors, err = newStderrFile(); err != nil {
		return nil, failed(err, "")
	}
	s.command = commandLine("time", t.secrets, args)
	s.signals = session.CatchSignals(func(sig os.Signal) {
		s.progress.Note("%s: finishing the run in hand; once more stops at once", sig)
	})
	return t, nil
}

// commands prepares what is to be run: the command, that of --vs and that of --prepare.
func (t *timing) commands(args []string) (err error) {
	if len(args) == 0 {
		return usageError(errors.New("time needs a command"), "tare time -- COMMAND [ARG...]")
	}
	if t.starter, err = newStarter(t.f, t.environ()); err != nil {
		return err
	}
	lines := [][]string{args}
	if t.f.vs != "" {
		words, err := t.words("vs", t.f.vs)
		if err != nil {
			return err
		}
		lines = append(lines, words)
	}
	for _, words := range lines {
		p, err := t.starter.program(words)
		if err != nil {
			return err
		}
		t.programs = append(t.programs, p)
	}
	nameSides(t.programs)
	if t.f.prepare == "" {
		return nil
	}
	words, err := t.words("prepare", t.f.prepare)
	if err != nil {
		return err
	}
	alone := *t.starter
	alone.input = false // that is for what is measured
	p, err := alone.program(words)
	if err == nil {
		t.before = &p.spec
	}
	return err
}

// words are those of a flag's command, the one word that sh is given included.
func (t *timing) words(flag, line string) ([]string, error) {
	if t.f.shell {
		return []string{line}, nil
	}
	words, err := shellWords(line)
	if err != nil {
		return nil, usageError(fmt.Errorf("--%s: %s", flag, t.secrets.Mask(err.Error())), "quote it, or let a shell run all commands: --shell")
	}
	if len(words) == 0 {
		return nil, usageError(fmt.Errorf("--%s names no command", flag), "")
	}
	return words, nil
}

// commandLine is what was typed of a verb that takes a command, with the -- that says
// where the command begins, so that it can be repeated.
func commandLine(verb string, hide session.Redactor, args []string) []string {
	words := session.TypedArgs()
	flags := words[:max(0, len(words)-len(args))]
	if n := len(flags); n > 0 && flags[n-1] == "--" {
		flags = flags[:n-1]
	}
	out := append(append([]string{"tare", verb}, session.MaskArgs(flags)...), "--")
	for i, w := range session.MaskArgs(args) {
		if slices.Contains(flags, "--shell") {
			w = session.MaskText(args[i])
		}
		out = append(out, w)
	}
	for i, w := range out[2:] {
		out[2+i] = hide.Mask(w)
	}
	return out
}
