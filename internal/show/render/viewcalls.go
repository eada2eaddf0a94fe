package render

import (
	"fmt"
	"io"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/subjects/calls"
	"github.com/tarebench/tare/internal/show/subjects/profile"
	"github.com/tarebench/tare/record"
)

// TraceEventsSuffix is that of a file with the execution path, in the format of trace viewers.
const TraceEventsSuffix = ".trace.json"

// Suffixes of profiles in the formats of other viewers.
const (
	CallgrindSuffix  = ".callgrind"
	SpeedscopeSuffix = ".speedscope.json"
)

// CallsViews returns the calls of each program and benchmark that was traced.
func CallsViews(s *result.Result, cfg calls.Config) ([]*View, error) {
	if err := readable(s, record.AttachTrace); err != nil {
		return nil, err
	}
	var out []*View
	for i := range s.Calls {
		x := &s.Calls[i]
		c, err := callsOf(s, x, cfg)
		if err != nil {
			return nil, err
		}
		out = append(out, CallsView(c, printable(x.Title)))
	}
	return out, nil
}

func callsOf(s *result.Result, x *result.Profiled[record.Trace], cfg calls.Config) (*calls.Calls, error) {
	switch record.KindOf(s.Run) {
	case record.KindTrace, record.KindContrast: // of a program
	default:
		cfg.Name = printable(x.Title)
	}
	t, err := record.MergeTraces(x.Forks)
	if err == nil {
		var c *calls.Calls
		if c, err = calls.New(t, cfg); err == nil {
			return c, nil
		}
	}
	return nil, fmt.Errorf("%s: %w", printable(x.Title), err)
}

// callsAs returns what writes calls in a format of call stacks.
func callsAs(c *calls.Calls, write func(*profile.View, io.Writer) error) func(io.Writer) error {
	return func(w io.Writer) error {
		v, err := c.View()
		if err != nil {
			return err
		}
		return write(v, w)
	}
}

// CallsView returns a view of what probes counted.
func CallsView(c *calls.Calls, title string) *View {
	v := &View{
		Title: title,
		Text: func(w io.Writer, o Options) error {
			return c.Text(w, titled(o, title))
		},
		JSON: encodeJSON(c),
		Files: map[string]func(io.Writer) error{
			".pb.gz": c.Pprof, ".folded": c.Collapsed, TraceEventsSuffix: c.Events,
			".svg":           callsAs(c, (*profile.View).Flame),
			CallgrindSuffix:  callsAs(c, (*profile.View).Callgrind),
			SpeedscopeSuffix: callsAs(c, (*profile.View).Speedscope),
		},
		Profile: c.View,
	}
	if !c.HasPath() {
		delete(v.Files, TraceEventsSuffix)
	}
	return v
}
