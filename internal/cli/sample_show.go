package cli

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/record"
)

// profileFlags say what of a profile is shown.
type profileFlags struct {
	top   int
	path  bool
	bench string
}

func (f *profileFlags) register(fl *pflag.FlagSet) {
	fl.IntVar(&f.top, "top", 20, "functions and paths that are printed; 0 for all")
	fl.BoolVar(&f.path, "show-paths", false, "print parent > function, with the time between samples that found the same twice in a row")
	deprecateFlag(fl, "path", "show-paths")
	fl.StringVar(&f.bench, "bench", "", "of a record of benchmarks, show those that match this `regexp`")
}

func (f *profileFlags) check() (err error) {
	if f.top < 0 {
		return usageError(fmt.Errorf("--top %d is less than 0", f.top), "")
	}
	if _, err = matchBench(f.bench); err != nil {
		return usageError(fmt.Errorf("--bench: %w", err), "")
	}
	return nil
}

// profileSuffixes are forms of what was seen.
var profileSuffixes = []string{".pb.gz", ".folded", ".svg"}

// options say how much a text shows.
func (f *profileFlags) options() render.StackOptions {
	o := render.StackOptions{Top: f.top, Path: f.path}
	if f.top == 0 {
		o.Top = -1 // all
	}
	return o
}

// views are the programs and benchmarks of a record that were sampled.
func (f *profileFlags) views(r *watchRecord) (_ []*render.View, err error) {
	if len(r.res.Stacks) == 0 && !r.damaged(record.AttachSampled, record.AttachSampledProfile) {
		return nil, r.nothing(sampleName)
	}
	if r.res.Stacks, err = chosen(r.title, r.res.Stacks, "sampled", f.bench); err != nil {
		return nil, err
	}
	return render.StackViews(r.res, f.options())
}
