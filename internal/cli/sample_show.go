package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	pprof "github.com/google/pprof/profile"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/profiler/sample"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/render/profile"
	"github.com/tarebench/tare/record"
)

// profileFlags say what of a profile is shown.
type profileFlags struct {
	top   int
	path  bool
	bench string
	only  func(name string) bool
}

func (f *profileFlags) register(fl *pflag.FlagSet) {
	fl.IntVar(&f.top, "top", 20, "functions and paths that are printed; 0 for all")
	fl.BoolVar(&f.path, "path", false, "print parent > function, with the time between looks that found the same twice in a row")
	fl.StringVar(&f.bench, "bench", "", "of a record of benchmarks, show those that match this `regexp`")
}

func (f *profileFlags) check() (err error) {
	if f.top < 0 {
		return usageError(fmt.Errorf("--top %d is less than 0", f.top), "")
	}
	if f.only, err = matchBench(f.bench); err != nil {
		return usageError(fmt.Errorf("--bench: %w", err), "")
	}
	return nil
}

// profileSuffixes are forms of what was seen.
var profileSuffixes = []string{".pb.gz", ".folded", ".svg"}

// view is what was seen in all its forms.
func (f *profileFlags) view(how *record.Sampled, p *pprof.Profile, title string) (*shownView, error) {
	v, err := viewOf(how, p)
	if err != nil {
		return nil, err
	}
	return &shownView{
		title: title,
		text: func(w io.Writer, o render.Options) error {
			top := f.top
			if top == 0 {
				top = -1 // what Options have for all
			}
			if title != how.Program {
				if _, err := fmt.Fprintln(w, title); err != nil {
					return err
				}
			}
			return v.Text(w, profile.Options{Width: o.Width, Top: top, UTF8: o.UTF8, Color: o.Color, Path: f.path})
		},
		json:  v.JSON,
		files: map[string]func(io.Writer) error{".pb.gz": v.Pprof, ".folded": v.Collapsed, ".svg": v.Flame},
	}, nil
}

// writeDoubts says what makes one doubt what was seen.
func writeDoubts(w io.Writer, how *record.Sampled, o render.Options) error {
	return profile.WriteWarnings(w, doubtsOf(how), profile.Options{Width: o.Width, UTF8: o.UTF8})
}

func doubtsOf(how *record.Sampled) (out []profile.Warning) {
	for _, d := range (&sample.Result{How: *how}).Doubts() {
		out = append(out, profile.Warning{Code: d.Code, Text: strings.TrimPrefix(d.Text, "sample: "), Advice: d.Advice})
	}
	return out
}

func viewOf(how *record.Sampled, p *pprof.Profile) (*profile.View, error) {
	kind := record.TypeWall
	if how.Mode == record.SampledCPU {
		kind = record.TypeCPU
	}
	return profile.New(p, profile.Config{Type: kind, How: how, Warnings: doubtsOf(how)})
}

// sampledOf reads what was seen of a fork.
func (r *watchRecord) sampledOf(f *watchedFork) (*record.Sampled, *pprof.Profile, error) {
	how := new(record.Sampled)
	err := json.Unmarshal(f.attached[record.AttachSampled], how)
	if err == nil {
		err = how.Validate()
	}
	var p *pprof.Profile
	if err == nil {
		p, err = profile.Read(f.attached[record.AttachSampledProfile])
	}
	if err != nil {
		return nil, nil, failed(fmt.Errorf("%s: %s: %w", r.title, r.name(f), err), "")
	}
	return how, p, nil
}

// views are all programs and benchmarks of a record that were looked at, a benchmark's
// forks being one.
func (f *profileFlags) views(r *watchRecord) ([]*shownView, error) {
	type seen struct {
		name     string
		hows     []*record.Sampled
		profiles []*pprof.Profile
	}
	var all []*seen
	byCase := map[int]*seen{}
	var names []string
	forks := r.with(record.AttachSampled)
	for _, fork := range forks {
		name := r.plainName(fork)
		if names = append(names, name); !f.only(name) {
			continue
		}
		how, p, err := r.sampledOf(fork)
		if err != nil {
			return nil, err
		}
		x := byCase[fork.Case]
		if x == nil {
			x = &seen{name: r.name(fork)}
			byCase[fork.Case], all = x, append(all, x)
		}
		x.hows, x.profiles = append(x.hows, how), append(x.profiles, p)
	}
	if len(forks) == 0 {
		return nil, r.nothing(sampleName)
	}
	if len(all) == 0 {
		return nil, failed(fmt.Errorf("%s: nothing that was sampled matches --bench %q", r.title, f.bench), nearBench(f.bench, names))
	}
	var out []*shownView
	for _, x := range all {
		how, p, err := mergeSampled(x.hows, x.profiles)
		if err == nil {
			var v *shownView
			if v, err = f.view(how, p, x.name); err == nil {
				out = append(out, v)
			}
		}
		if err != nil {
			return nil, failed(fmt.Errorf("%s: %s: %w", r.title, x.name, err), "")
		}
	}
	return out, nil
}

// plainName is what a fork ran as --bench has it: without the package.
func (r *watchRecord) plainName(f *watchedFork) string {
	if c := r.cases[f.Case]; c != nil {
		return c.Name
	}
	return r.name(f)
}
