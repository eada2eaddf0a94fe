package cli

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/process/fork"
	"github.com/tarebench/tare/record"
)

// problems collects what is wrong with the flags of a verb.
type problems struct{ exit.Problems }

// positive checks a flag with a duration, if it was given.
func (p *problems) positive(cmd *cobra.Command, flag string, d time.Duration) {
	p.AddIf(cmd.Flags().Changed(flag) && d <= 0, "--%s %s is not above 0", flag, d)
}

// confidence checks --confidence.
func (p *problems) confidence(c float64) {
	p.AddIf(!(c > 0 && c < 1), "--confidence %v is not between 0 and 1", c)
}

// pattern checks --bench.
func (p *problems) pattern(bench string) {
	err := fork.CheckPattern(bench)
	p.AddIf(err != nil, "--bench %q: %v", bench, err)
}

// correction checks --correction.
func (p *problems) correction(name string) {
	p.AddIf(!slices.Contains(job.Corrections, name), "--correction %q is none of %s", name, strings.Join(job.Corrections, ", "))
}

// test checks --test; "" leaves it to the record.
func (p *problems) test(name string) {
	p.AddIf(name != "" && !slices.Contains(job.Tests, name), "--test %q is neither %s nor %s", name, record.TestSavage, record.TestU)
}

// listLength reads the flag of a length where 0 stands for all. It returns -1 for all, which is
// what the configurations of texts have for it.
func (p *problems) listLength(flag string, n int) int {
	p.AtLeast(flag, n, 0)
	if n == 0 {
		return -1
	}
	return n
}
