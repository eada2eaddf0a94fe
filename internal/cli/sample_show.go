package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	pprof "github.com/google/pprof/profile"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/prof/sample"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/report"
	"github.com/tarebench/tare/report/profile"
)

// profileFlags say what of a profile is shown.
type profileFlags struct {
	top   int
	path  bool
	bench string
	only  *regexp.Regexp
}

func (f *profileFlags) register(fl *pflag.FlagSet) {
	fl.IntVar(&f.top, "top", 20, "functions and paths that are printed; 0 for all")
	fl.BoolVar(&f.path, "path", false, "print parent > function, with the time between looks that found the same twice in a row")
	fl.StringVar(&f.bench, "bench", "", "of a record of benchmarks, show those that match this `regexp`")
}

func (f *profileFlags) check() (err error) {
	if f.top < 0 {
		return usage(fmt.Errorf("--top %d is less than 0", f.top), "")
	}
	if f.only, err = regexp.Compile(f.bench); err != nil {
		return usage(fmt.Errorf("--bench: %w", err), "")
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
		text: func(w io.Writer, o report.Options) error {
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
func writeDoubts(w io.Writer, how *record.Sampled, o report.Options) error {
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
	forks := r.with(record.AttachSampled)
	for _, fork := range forks {
		if !f.only.MatchString(r.name(fork)) {
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
		return nil, failed(fmt.Errorf("%s: nothing that was sampled matches --bench %q", r.title, f.bench), "there is "+r.name(forks[0]))
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

// mergeSampled makes one of several runs of the same program that were looked at in the
// same way.
func mergeSampled(hows []*record.Sampled, profiles []*pprof.Profile) (*record.Sampled, *pprof.Profile, error) {
	sum := *hows[0]
	if len(hows) == 1 {
		return &sum, profiles[0], nil
	}
	var achieved, look, cost float64 // weighted by looks, and by time
	var all, unnoted float64         // time of the windows, with that in which the timer stood
	weighed := func(h *record.Sampled) {
		window := float64(h.Wall) / max(1-h.Stopped, 1e-9)
		all += window
		unnoted += h.Unnoted * window
		achieved += h.Achieved * float64(h.Looks)
		look += h.Look * float64(h.Looks)
		cost += h.Cost * float64(h.Wall)
	}
	weighed(&sum)
	for _, h := range hows[1:] {
		if h.Mode != sum.Mode || h.Source != sum.Source || h.Interval != sum.Interval {
			return nil, nil, errors.New("its forks were looked at in different ways")
		}
		weighed(h)
		sum.Windows, sum.Ops = sum.Windows+h.Windows, sum.Ops+h.Ops
		sum.Looks, sum.Skipped, sum.Lost = sum.Looks+h.Looks, sum.Skipped+h.Skipped, sum.Lost+h.Lost
		sum.Wall, sum.CPU = sum.Wall+h.Wall, sum.CPU+h.CPU
		sum.Goroutines, sum.LongLook = max(sum.Goroutines, h.Goroutines), max(sum.LongLook, h.LongLook)
		if h.Window == record.AsmRough {
			sum.Window = h.Window
		}
	}
	sum.Achieved, sum.Look, sum.Cost = mean(achieved, sum.Looks), mean(look, sum.Looks), mean(cost, sum.Wall)
	if all > 0 {
		sum.Stopped, sum.Unnoted = max(0, 1-float64(sum.Wall)/all), unnoted/all
	}
	p, err := pprof.Merge(profiles)
	return &sum, p, err
}

func mean(sum float64, n int64) float64 {
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}
