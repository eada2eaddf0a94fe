package render

import (
	"errors"
	"fmt"
	"io"

	pprof "github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/subjects/calls"
	"github.com/tarebench/tare/internal/show/subjects/profile"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/record"
)

// StackViews returns the call stacks of each program and benchmark that was sampled, the
// forks of a benchmark being one.
func StackViews(s *result.Result, shown StackOptions) ([]*View, error) {
	if err := readable(s, record.AttachSampled, record.AttachSampledProfile); err != nil {
		return nil, err
	}
	var out []*View
	for i := range s.Stacks {
		x := &s.Stacks[i]
		how, p, err := stacksOf(x)
		if err == nil {
			var v *View
			if v, err = StackView(how, p, printable(x.Title), shown); err == nil {
				out = append(out, v)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", printable(x.Title), err)
		}
	}
	return out, nil
}

// stacksOf returns the sum of the forks.
func stacksOf(x *result.Profiled[result.CallStacks]) (*record.Sampled, *pprof.Profile, error) {
	var hows []*record.Sampled
	var profiles []*pprof.Profile
	for _, f := range x.Forks {
		p, err := profile.Read(f.Profile)
		if err != nil {
			return nil, nil, err
		}
		hows, profiles = append(hows, f.How), append(profiles, p)
	}
	return profile.Merge(hows, profiles)
}

// StackOptions say how much of call stacks a text shows.
type StackOptions struct {
	Top  int  // functions and paths; 0 is 20, and less than 0 is all
	Path bool // with the time between samples that found the same twice in a row

	Blocked bool // include blocked time in times and flame graphs

	textpage.Selection

	Confidence float64 // of differences; 0: 0.95
}

// stackProfile returns what a sampler saw.
func stackProfile(how *record.Sampled, p *pprof.Profile, shown StackOptions) (*profile.View, error) {
	kind := record.TypeWall
	if how.Mode == record.SampledCPU {
		kind = record.TypeCPU
	}
	return profile.New(p, profile.Config{Type: kind, How: how, Warnings: stackWarnings(how), Top: shown.Top, Path: shown.Path, Blocked: shown.Blocked, Selection: shown.Selection})
}

// StackView returns a view of what a sampler saw.
func StackView(how *record.Sampled, p *pprof.Profile, title string, shown StackOptions) (*View, error) {
	v, err := stackProfile(how, p, shown)
	if err != nil {
		return nil, err
	}
	return &View{
		Title: title,
		Text: func(w io.Writer, o Options) error {
			if title != how.Program {
				if _, err := fmt.Fprintln(w, title); err != nil {
					return err
				}
			}
			return v.Text(w, o)
		},
		JSON:    v.JSON,
		Files:   map[string]func(io.Writer) error{".pb.gz": v.Pprof, ".folded": v.Collapsed, ".svg": v.Flame, CallgrindSuffix: v.Callgrind, SpeedscopeSuffix: v.Speedscope},
		Profile: func() (*profile.View, error) { return v, nil },
	}, nil
}

func stackWarnings(how *record.Sampled) (out []profile.Warning) {
	for _, w := range diagnosis.Sampling(how, false, nil) {
		out = append(out, result.WarningOf(w))
	}
	return out
}

// ContrastViews returns the calls of a program beside its call stacks. A record of more than
// one program, or without one of the two, is an error.
func ContrastViews(s *result.Result) ([]*View, error) {
	if err := readable(s, record.AttachTrace, record.AttachSampled, record.AttachSampledProfile); err != nil {
		return nil, err
	}
	if len(s.Calls) != 1 || len(s.Stacks) != 1 || len(s.Calls[0].Forks) != 1 || len(s.Stacks[0].Forks) != 1 {
		return nil, errors.New("a contrast is of one program that was traced once and sampled once")
	}
	traced, sampled := &s.Calls[0], &s.Stacks[0]
	c, err := callsOf(s, traced, calls.Config{})
	if err != nil {
		return nil, err
	}
	how, p, err := stacksOf(sampled)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", printable(sampled.Title), err)
	}
	x, err := calls.NewContrast(c, how, p, calls.Runs{Plain: s.Plain, Traced: traced.Walls[0], Sampled: sampled.Walls[0]})
	if err != nil {
		return nil, err
	}
	return []*View{ContrastView(x, how, printable(traced.Title))}, nil
}

// ContrastView returns a view of a program that was both traced and sampled.
func ContrastView(x *calls.Contrast, how *record.Sampled, title string) *View {
	return &View{
		Title: title,
		Text: func(w io.Writer, o Options) error {
			if err := x.Text(w, titled(o, title)); err != nil {
				return err
			}
			return profile.WriteWarnings(w, stackWarnings(how), o)
		},
		JSON: encodeJSON(x),
	}
}
