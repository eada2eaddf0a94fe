package cli

import (
	"time"

	"github.com/tarebench/tare/internal/numbers/aatest"
)

// shortSelftest runs a self-test of the built-in set for so long, for tare ci; progress is as of --progress. An
// interrupted one returns both a result and an error.
func shortSelftest(s streams, budget time.Duration, progress string) (*aatest.Result, error) {
	f := &selftestFlags{job: selftestJob(), runFlags: runFlags{progress: progress}}
	f.job.Budget = budget
	f.output = outputFlags{color: "auto", formats: textFormats, suffixes: textSuffixes}
	run, err := selftestPlan(f.job, nil, true)
	if err != nil {
		return nil, err
	}
	t, err := f.newRun(s, "ci", run, true)
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
