package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/programrun"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/benchtext"
	"github.com/tarebench/tare/internal/show/render"
	"github.com/tarebench/tare/record"
)

const sampleLong = `tare sample takes samples of the stacks of a program, and prints its hot functions, alone
and with the functions they call, what its goroutines waited for, what sampling cost,
and what it cannot see.

A program that tare builds is sampled from within, with all its goroutines, by wall time
(--wall) or CPU time (--cpu-time). It is that of the package that is named, or of the
current directory, with its arguments behind --. Or type go run or go test as usual,
behind --. Any other command behind -- is sampled by the kernel's perf events, by CPU
time. A process that serves net/http/pprof is sampled by its address (--url). By wall
time this underestimates what runs, because the process answers when a processor is
free. With --cpu-time it does not.

From within, --cpu-time uses Go's CPU profiler, of which there is only one. If the program
profiles itself at the same time (runtime/pprof, /debug/pprof/profile, go test
-cpuprofile), its own profile is empty, and a warning says so.

The program's standard input is empty. Its output goes to standard error, because
standard output is for the result. The samples are shown however the program ends. A
call that is shorter than the interval is seen with a probability of its duration
divided by the interval; tare trace counts every call.

Self, total and their shares are of the time in which goroutines ran. That in which they
were blocked, waiting for a channel, a lock, a timer or the network, has a column of its
own; --blocked includes it in the tables, the flame graph and the collapsed stacks. A
goroutine that waits for a processor, or is in a system call, counts as running. Waiting
of package testing for what it runs, as in (*B).Run, is excluded.

A FILE is a record of tare sample, or of tare bench --prof sample, to show again. One of
tare bench --prof sample --against REV begins with what changed from side to side.

--focus and --ignore keep or drop whole stacks, by the functions that they have, as in
pprof; shares stay those of the whole. --peek prints who calls a function and what it
calls. Two records are compared by tare compare OLD NEW, and as a flame graph of their
difference by tare report OLD NEW -o diff.html, or -o diff.svg.

-o writes records (.jsonl), the result (.json, .txt), a profile for go tool pprof
(.pb.gz), collapsed stacks (.folded), a flame graph (.svg), or the file of another
viewer: KCachegrind (.callgrind), speedscope (.speedscope.json).`

const sampleExample = `  tare sample ./cmd/server -- -addr :8080
  tare sample --cpu-time --sample-interval 1ms -o cpu.svg .
  tare sample -- go test -bench 'SortInt1K$' sort
  tare sample -- ./server -selftest
  tare sample --url http://127.0.0.1:6060 --duration 10s
  tare sample --show-paths result.jsonl
  tare sample --focus 'json' --sort total --peek 'Marshal$' result.jsonl`

// sampleFlags are the flags of tare sample as they are typed.
type sampleFlags struct {
	programFlags
	profile profileFlags
}

func newSample(s streams) *cobra.Command {
	f := &sampleFlags{programFlags: programFlags{job: job.DefaultProgram(record.KindSample), verb: job.OnSample}}
	return verb{
		use:     "sample [flags] [package [-- ARG...] | -- COMMAND [ARG...] | --url URL | FILE]",
		short:   "Sample where a program spends its time",
		long:    sampleLong,
		example: sampleExample,
		register: func(fl *pflag.FlagSet) {
			f.register(fl, profileSuffixes...)
			f.profile.register(fl)
		},
		run: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, s, args, programVerb{f.profile.check, f.views, nil, f.view})
		},
	}.command()
}

// profileSuffixes are forms of what was seen.
var profileSuffixes = []string{".pb.gz", ".folded", ".svg", render.CallgrindSuffix, render.SpeedscopeSuffix}

// profileFlags say what of a profile is shown.
type profileFlags struct {
	top     int
	paths   bool
	blocked bool
	bench   string
	stacks  selectionFlags
}

func (f *profileFlags) register(fl *pflag.FlagSet) {
	fl.IntVar(&f.top, "top", 20, "functions and paths that are printed; 0 for all")
	fl.BoolVar(&f.paths, "show-paths", false, "print parent > function, with the time between samples that found the same twice in a row")
	fl.BoolVar(&f.blocked, "blocked", false, "include blocked time in self, total and the flame graph; by default it is a column of its own")
	f.stacks.register(fl)
	flags.RecordedBench(fl, &f.bench)
}

func (f *profileFlags) check() error {
	p := problems{}
	f.stacks.selection(&p)
	p.listLength("top", f.top)
	if _, err := benchtext.MatchName(f.bench); err != nil {
		p.Add("--bench: %v", err)
	}
	return p.Err()
}

// options say how much a text shows.
func (f *profileFlags) options() render.StackOptions {
	p := problems{}
	return render.StackOptions{Top: p.listLength("top", f.top), Path: f.paths, Blocked: f.blocked, Selection: f.stacks.selection(&p)}
}

// views returns the programs and benchmarks of a record that were sampled.
func (f *sampleFlags) views(r *programRecord) (_ []*render.View, err error) {
	if len(r.res.Stacks) == 0 && !r.damaged(record.AttachSampled, record.AttachSampledProfile) {
		return nil, r.nothing(record.KindSample)
	}
	if r.res.Stacks, err = chosen(r.title, r.res.Stacks, "sampled", f.profile.bench); err != nil {
		return nil, err
	}
	return withDifferences(&result.Result{Stacks: r.res.Stacks}, f.profile.options(), func() ([]*render.View, error) {
		return render.StackViews(r.res, f.profile.options())
	})
}

// withDifferences returns the views of all sides. If there are two sides, the differences between them come first.
func withDifferences(of *result.Result, shown render.StackOptions, views func() ([]*render.View, error)) ([]*render.View, error) {
	shown.Peek = nil // of each side below
	out, err := render.ProfileDifferences(of, shown)
	if err != nil {
		return nil, err
	}
	more, err := views()
	return append(out, more...), err
}

// view shows what was seen in a run.
func (f *sampleFlags) view(o *programrun.Outcome) (*render.View, error) {
	return render.StackView(&o.Sampled.How, o.Sampled.Profile, o.Title, f.profile.options())
}
