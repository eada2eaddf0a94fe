package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/numbers/aatest"
	"github.com/tarebench/tare/internal/show/subjects/selftest"
	"github.com/tarebench/tare/internal/show/textpage"
)

// deepBudget is what tare doctor --selftest spends on its self-test.
const deepBudget = 20 * time.Second

// deepSelftest runs a short self-test of the built-in set; progress is as of --progress. An
// interrupted one returns both a result and an error.
func deepSelftest(s streams, budget time.Duration, progress string) (*aatest.Result, error) {
	f := &selftestFlags{job: selftestJob(), runFlags: runFlags{progress: progress}}
	f.job.Budget = budget
	f.output = outputFlags{color: "auto", formats: textFormats, suffixes: textSuffixes}
	run, err := selftestPlan(f.job, nil, true)
	if err != nil {
		return nil, err
	}
	t, err := f.newRun(s, "doctor", run, true)
	if err != nil {
		return nil, err
	}
	defer t.config.Signals.Stop()
	r, err := t.measure()
	if err == nil && t.config.Signals.Caught() {
		err = t.config.Signals.ExitError()
	}
	if r == nil {
		return nil, err
	}
	return r.Selftest, err
}

// writeDeep prints a short self-test below what the doctor found.
func writeDeep(w io.Writer, r *aatest.Result, budget time.Duration) error {
	if _, err := fmt.Fprintf(w, "\na short self-test of %s, whose intervals are wide; tare selftest takes %s:\n", budget, strings.TrimSuffix(selftestBudget.String(), "0s")); err != nil {
		return err
	}
	return selftest.Summary(w, r, textpage.Options{UTF8: termtext.UTF8Locale()})
}
