package cli

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/render"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/record"
)

// selectionFlags say which stacks of profiles are shown, and in which order their functions.
type selectionFlags struct{ sort, focus, ignore, peek string }

func (f *selectionFlags) register(fl *pflag.FlagSet) {
	f.registerBoth(fl)
	flags.Peek(fl, &f.peek)
}

// registerBoth adds those that make sense for two profiles as well.
func (f *selectionFlags) registerBoth(fl *pflag.FlagSet) {
	flags.Stacks(fl, &f.sort, &f.focus, &f.ignore)
}

// selection checks the flags and returns what they select.
func (f *selectionFlags) selection(p *problems) (s render.Selection) {
	if orders := []string{textpage.SortSelf, textpage.SortTotal}; !slices.Contains(append(orders, ""), f.sort) {
		p.Add("--sort %q is none of %s, %s", f.sort, orders[0], orders[1])
	}
	if f.sort == textpage.SortTotal {
		s.Sort = f.sort
	}
	for _, x := range []struct {
		flag, text string
		to         **regexp.Regexp
	}{{"focus", f.focus, &s.Focus}, {"ignore", f.ignore, &s.Ignore}, {"peek", f.peek, &s.Peek}} {
		if x.text == "" {
			continue
		}
		e, err := regexp.Compile(x.text)
		if err != nil {
			p.Add("--%s: %v", x.flag, err)
		}
		*x.to = e
	}
	return s
}

// checkSelection refuses a selection from a record that shows no stacks. Pages have those of benchmarks, too.
func checkSelection(s render.Selection, res *result.Result, name string, inPage bool) error {
	kind := record.KindOf(res.Run)
	shows := len(res.Stacks)+len(res.Calls) > 0 && (inPage || kind == record.KindSample || kind == record.KindTrace) && kind != record.KindContrast
	if !s.Any() || shows || res.Run == nil {
		return nil
	}
	return usageError(fmt.Errorf("%s: no call stacks are in it, for --sort, --focus, --ignore and --peek", name), "tare sample and tare trace take them, also given a record of tare bench")
}
