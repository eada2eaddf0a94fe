package gotarget

import (
	"context"
	"errors"
	"fmt"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// Run is [load.Run] in the process. If the process ends by itself, the Interval is nil and the error says how; the lines until
// then have gone to the sink.
func (t *Target) Run(ctx context.Context, c load.Config, sink load.Sink) (*load.Interval, error) {
	return t.run(ctx, c, sink, false)
}

// Idle returns a target whose operations do nothing in the process, for what the load generator itself takes. It need not
// be closed.
func (t *Target) Idle() load.Target { return idle{t} }

type idle struct{ *Target }

func (idle) Kinds() []string { return []string{"NOOP"} }
func (idle) Close() error    { return nil }

func (i idle) Run(ctx context.Context, c load.Config, sink load.Sink) (*load.Interval, error) {
	return i.run(ctx, c, sink, true)
}

func (t *Target) run(ctx context.Context, c load.Config, sink load.Sink, idle bool) (*load.Interval, error) {
	if c.Share != nil || c.Ready != nil {
		return nil, errors.New("the target of a Go package cannot have a Config.Share, nor a Config.Ready")
	}
	r := &running{status: c.Status, sink: sink}
	t.phases = t.phases || !idle
	t.send(request{Run: &phase{Config: phaseConfig{Config: c}, Idle: idle}})
	stop := context.AfterFunc(ctx, func() { t.send(request{Cancel: true}) })
	defer stop()
	for {
		a, err := t.next()
		if err != nil {
			return nil, err
		}
		was := r.err
		total, over := r.take(a)
		t.kept = t.kept || !idle && (a.Interval != nil || total != nil)
		switch {
		case !over:
			if was == nil && r.err != nil {
				t.send(request{Cancel: true})
			}
		case r.err != nil:
			return total, r.err
		case ctx.Err() != nil && a.Done.Err != nil:
			return total, context.Cause(ctx)
		default:
			return total, a.Done.Err.err()
		}
	}
}

// running is a phase that the process runs.
type running struct {
	status  func(*load.Interval)
	sink    load.Sink
	decoder record.LineDecoder
	lines   []record.Line // since the last interval
	err     error         // of the sink, or of a line
}

// take takes an answer. over is set by the last, with the whole phase unless it could not begin.
func (r *running) take(a *answer) (total *load.Interval, over bool) {
	switch {
	case a.Line != nil:
		if l := r.decode(a.Line); l != nil {
			r.lines = append(r.lines, l)
			if r.err == nil && r.sink != nil {
				r.err = r.sink(l)
			}
		}
	case a.Interval != nil:
		if i := r.interval(r.lines, a.Interval.First); i != nil && r.status != nil {
			r.status(i)
		}
		r.lines = nil
	case a.Done != nil:
		var lines []record.Line
		for _, text := range a.Done.Lines {
			lines = append(lines, r.decode(text))
		}
		return r.interval(lines, a.Done.First), true
	}
	return nil, false
}

func (r *running) decode(text []byte) record.Line {
	l, err := r.decoder.Decode(text)
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("a line of the target's process: %w", err)
	}
	return l
}

// interval makes an interval of a load line and those of its latencies. It returns nil without a load line.
func (r *running) interval(lines []record.Line, first map[string]string) *load.Interval {
	var i *load.Interval
	for _, l := range lines {
		switch l := l.(type) {
		case *record.Load:
			i = &load.Interval{Load: *l, First: first}
		case *record.Hist:
			h, err := hist.Decode(l.Data)
			if err != nil && r.err == nil {
				r.err = fmt.Errorf("a histogram of the target's process: %w", err)
			}
			if i != nil && err == nil {
				i.Latencies = append(i.Latencies, load.Latency{Kind: l.Name, Tag: l.Tag, Hist: h})
			}
		}
	}
	return i
}
