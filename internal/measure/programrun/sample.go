package programrun

import (
	"context"
	"errors"
	"os"

	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/process/command"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/internal/profile/sample"
	"github.com/tarebench/tare/record"
)

// sampleRunnable samples what tare does not build, and records that: the process at the job's URL, or a command, which the
// kernel samples by CPU time.
func (r *Runner) sampleRunnable(out *Outcome) error {
	if r.remote() {
		return r.sampleURL(out)
	}
	p, err := (&command.Starter{Env: os.Environ()}).Program(r.Job.Command)
	if err != nil {
		return err
	}
	if err := r.lockMachine(); err != nil {
		return err
	}
	r.beginRun()
	r.addProgram(p.Path)
	run, err := r.runPerf(r.spec(p.Spec.Path, "", p.Spec.Args), r.Job.Sampling())
	return r.recordSampled(out, p.Line, run, err)
}

// sampleURL samples the process that serves net/http/pprof at an address, and records that.
func (r *Runner) sampleURL(out *Outcome) error {
	line := redact.HostOf(r.Job.URL)
	r.Progress.Note("connecting to %s", line)
	begin := clock.Now()
	ctx, cancel := context.WithCancel(r.ctx)
	defer cancel()
	res, err := sample.URL(ctx, r.Job.URL, r.Job.Sampling())
	if res == nil || res.Profile == nil {
		return r.interrupted(exit.Failed(exit.TrimPrefix(err, "sample: "), ""))
	}
	r.addProgram(line)
	return r.recordSampled(out, line, &sample.Run{Result: res, Process: spawn.Result{Start: begin, End: clock.Now()}, Ended: err}, nil)
}

// recordSampled writes the samples of a run to the record. It returns err unchanged if it is not nil.
func (r *Runner) recordSampled(out *Outcome, line string, run *sample.Run, err error) error {
	if err != nil {
		return err
	}
	lines, err := run.Lines()
	if err != nil {
		return exit.Failed(err, "")
	}
	r.addFork(record.KindSample, line, run.Process, run.Ended, lines...)
	out.Title, out.Sampled = redact.Text(line), run
	r.addEnd(out, "while it was sampled", r.failure(run.Process, run.Ended))
	return nil
}

// sampled is a program that is built and ready to run under the sampler.
type sampled struct {
	path   string
	passed string // why it cannot be sampled from within; "": it can
}

// buildSampled builds the program, with the sampler inside if the toolchain supports it.
func (r *Runner) buildSampled() (*sampled, error) {
	t := r.target
	p := &sampled{path: t.File(r.work, record.KindSample)}
	r.Progress.Phase("building to sample it from within")
	flags, err := r.samplerFlags()
	switch {
	case errors.Is(err, toolchain.ErrUnsupported) && !r.Job.Wall:
		p.passed = "goroutine stacks: " + err.Error()
	case err != nil:
		hint := ""
		if errors.Is(err, toolchain.ErrUnsupported) {
			hint = "use " + sample.Requirements + "; by CPU time the kernel can see it: --cpu-time"
		}
		return nil, r.interrupted(exit.Failed(exit.TrimPrefix(err, "sample: "), hint))
	}
	return p, r.builder().Build(t, p.path, "what samples it from within", flags, nil)
}

// samplerFlags returns the build flags that add the sampler to package runtime.
func (r *Runner) samplerFlags() ([]string, error) {
	e, err := r.builder().Settings(r.target)
	if err != nil {
		return nil, err
	}
	overlay, err := e.RuntimeOverlay(toolchain.Sampler)
	if err != nil {
		return nil, err
	}
	return []string{"-overlay=" + overlay}, nil
}

// record runs the program, samples it, and writes the samples to the record.
func (p *sampled) record(r *Runner, out *Outcome) error {
	r.beginRun()
	r.addProgram(p.path)
	run, err := p.run(r)
	return r.recordSampled(out, r.target.Line(), run, err)
}

func (p *sampled) run(r *Runner) (*sample.Run, error) {
	cfg := r.Job.Sampling()
	spec := r.spec(p.path, r.target.WorkDir(), r.target.Args)
	if p.passed != "" {
		cfg.Mode = record.SampledCPU
		run, err := r.runPerf(spec, cfg)
		if err == nil {
			run.How.Rejected = append(run.How.Rejected, p.passed)
		}
		return run, err
	}
	r.Progress.Clear()
	run, err := sample.Command(r.ctx, r.launcher, spec, cfg)
	if err != nil {
		return nil, r.interrupted(exit.Failed(exit.TrimPrefix(err, "sample: "), ""))
	}
	return run, nil
}

// runPerf runs a program that the kernel samples.
func (r *Runner) runPerf(spec spawn.Spec, cfg sample.Config) (*sample.Run, error) {
	r.Progress.Clear()
	run, err := sample.PerfCommand(r.ctx, r.launcher, spec, cfg)
	if err != nil {
		hint := "programs that tare builds are sampled from within: name the package, or -- go run PACKAGE"
		if p := (*profiler.UnavailableError)(nil); errors.As(err, &p) && p.Advice != "" {
			hint = p.Advice
		}
		return nil, r.interrupted(exit.Failed(exit.TrimPrefix(err, "sample: "), hint))
	}
	return run, nil
}
