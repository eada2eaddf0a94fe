package cli

import (
	"os"
	"time"

	"github.com/tarebench/tare/internal/measure"
	"github.com/tarebench/tare/internal/measure/benchrun"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/measure/session/runlog"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/render"
)

// measure runs one job of tare why.
func (f *whyFlags) measure(s streams, progress *session.Progress, j *job.Bench, path string) (*result.Result, error) {
	head, err := j.Plan()
	if err != nil {
		return nil, err
	}
	head.Command = session.TypedLine("why")
	c := benchrun.Config{Start: time.Now(), Run: head, Output: path, Lock: f.lock, Progress: progress, Estimate: render.Estimate, RunLog: runlog.DefaultPath()}
	c.Signals = session.CatchSignals(func(sig os.Signal) {
		progress.Note("%s: finishing the fork in hand; once more stops at once", sig)
	})
	defer c.Signals.Stop()
	out, err := measure.Run(c)
	progress.Clear()
	switch {
	case c.Signals.Caught():
		return nil, c.Signals.ExitError()
	case err != nil:
		return nil, session.PrintMoved(s.err, out.Recorder.Moved(), err)
	}
	res := out.Recorder.Result()
	printFailures(s.err, res, out.Broken) // the others are in the record
	return res, session.PrintMoved(s.err, out.Recorder.Moved(), nil)
}
