package measure

import (
	"context"
	"io"
	"time"

	"github.com/tarebench/tare/internal/measure/commandrun"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/programrun"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/internal/result"
)

// RunCommand measures commands, and is silent. records is the file that takes the record, "" for the default place. The end
// of ctx ends it after the run in hand, with a partial record. The recorder, which has the result, is nil if the record could
// not be opened. It fails with all contradictions of the job, for a command that cannot be started, and with the first run
// that fails, unless the job counts those.
func RunCommand(ctx context.Context, j *job.Command, records string) (*session.Recorder, error) {
	m, err := commandrun.New(j)
	if err != nil {
		return nil, err
	}
	signals := session.SignalsOf(ctx)
	defer signals.Stop()
	err = m.Run(commandrun.Session{
		Records: records, Signals: signals, Progress: session.NoProgress(), Stderr: io.Discard, Start: time.Now(),
		Estimate: func(result.Benchmark) string { return "" },
	})
	return m.Recorder, err
}

// RunProgram runs a program under the profiler of the job's kind. Its output goes to standard error. records, ctx and the
// recorder are as of RunCommand. It fails with all contradictions of the job, for a program that cannot be built or started,
// and for one that fails, whose record is complete. Both return [plan.ErrInterrupted] if ctx has ended it.
func RunProgram(ctx context.Context, j *job.Program, records string) (*session.Recorder, error) {
	signals := session.SignalsOf(ctx)
	r, err := programrun.Open(programrun.Options{Job: j, Records: records, Signals: signals, Display: "none", Stderr: io.Discard})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	seen, err := r.Run()
	if err == nil {
		err = r.Err(seen.Ended)
	}
	if signals.Caught() {
		err = plan.ErrInterrupted
	}
	return r.Recorder, err
}
