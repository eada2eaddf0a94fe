package cli

import (
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/measure/benchrun"
	"github.com/tarebench/tare/internal/process/fork"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// problems collects what is wrong with the flags of a verb.
type problems struct{ exit.Problems }

// atLeast checks a flag with a number.
func (p *problems) atLeast(flag string, n, least int) {
	if n < least {
		p.Add("--%s %d is less than %d", flag, n, least)
	}
}

// positive checks a flag with a duration, if it was given.
func (p *problems) positive(cmd *cobra.Command, flag string, d time.Duration) {
	if cmd.Flags().Changed(flag) && d <= 0 {
		p.Add("--%s %s is not above 0", flag, d)
	}
}

// share reads a flag with a share; "" is 0.
func (p *problems) share(flag, text string) float64 {
	if text == "" {
		return 0
	}
	x, err := units.ParseShare(text)
	if err != nil {
		p.Add("--%s: %v", flag, err)
	}
	return x
}

// with reads the files of --with.
func (p *problems) with(paths []string) []record.AddedFile {
	dir, err := os.Getwd()
	p.AddError(err)
	files, err := benchrun.FilesWith(dir, paths)
	p.AddError(err)
	return files
}

// confidence checks --confidence.
func (p *problems) confidence(c float64) {
	if !(c > 0 && c < 1) {
		p.Add("--confidence %v is not between 0 and 1", c)
	}
}

// settings checks a flag with settings K=V.
func (p *problems) settings(flag string, list []string) {
	for _, kv := range list {
		if k, _, ok := strings.Cut(kv, "="); !ok || k == "" {
			p.Add("--%s %q is not of the form K=V", flag, redact.Setting(kv))
		}
	}
}

// patterns checks --bench and --skip.
func (p *problems) patterns(bench, skip string) {
	for _, x := range []struct{ flag, re string }{{"bench", bench}, {"skip", skip}} {
		if err := fork.CheckPattern(x.re); err != nil {
			p.Add("--%s %q: %v", x.flag, x.re, err)
		}
	}
}

// seed checks --seed.
func (p *problems) seed(cmd *cobra.Command, text string) {
	if _, err := record.ParseSeed(text); cmd.Flags().Changed("seed") && err != nil {
		p.Add("--seed: %v", err)
	}
}

// correction checks --correction.
func (p *problems) correction(name string) {
	if !slices.Contains(corrections, name) {
		p.Add("--correction %q is none of %s", name, strings.Join(corrections, ", "))
	}
}

// tests are the tests of times and rates.
var tests = []string{record.TestSavage, record.TestU}

// test checks --test; "" leaves it to the record.
func (p *problems) test(name string) {
	if name != "" && !slices.Contains(tests, name) {
		p.Add("--test %q is neither %s nor %s", name, record.TestSavage, record.TestU)
	}
}

// corrections are the values of --correction; the first is the default.
var corrections = []string{result.BenjaminiHochberg, result.Holm, result.NoCorrection}

// listLength reads the flag of a length where 0 stands for all. It returns -1 for all, which is
// what the configurations of texts have for it.
func (p *problems) listLength(flag string, n int) int {
	p.atLeast(flag, n, 0)
	if n == 0 {
		return -1
	}
	return n
}
