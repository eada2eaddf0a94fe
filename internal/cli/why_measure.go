package cli

import (
	"github.com/tarebench/tare/internal/measure"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/measure/session/runlog"
	"github.com/tarebench/tare/internal/result"
)

// measure runs one job of tare why.
func (f *whyFlags) measure(s streams, j *job.Bench, path string) (*result.Result, error) {
	head, err := j.Plan()
	if err != nil {
		return nil, err
	}
	head.Command = typedLine("why")
	c, err := f.runFlags.config(s, head)
	if err != nil {
		return nil, err
	}
	c.Output, c.RunLog = path, runlog.DefaultPath()
	c.Signals = session.CatchBetweenForks(c.Progress)
	defer c.Signals.Stop()
	out, err := measure.Run(c)
	c.Progress.Clear()
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
