package cli

import (
	"time"

	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/benchrun"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/show/render"
	"github.com/tarebench/tare/record"
)

// runFlags are those of every verb that measures: whether it waits for other runs, and how it shows where it is.
type runFlags struct {
	lock     session.LockMode
	progress string
}

func (f *runFlags) register(fl *pflag.FlagSet) {
	flags.Lock(fl, &f.lock.NoWait, &f.lock.NoLock)
	flags.Progress(fl, &f.progress)
}

// config returns the configuration of a run of benchmarks that begins now.
func (f *runFlags) config(s streams, head record.Run) (benchrun.Config, error) {
	progress, err := session.NewProgress(s.err, f.progress)
	return benchrun.Config{Start: time.Now(), Run: head, Lock: f.lock, Progress: progress, Estimate: render.Estimate}, err
}
