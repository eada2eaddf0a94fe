package load

import (
	"context"
	"errors"
	"fmt"

	"github.com/tarebench/tare/record"
)

// Reasons why a run ended early. The errors of Run wrap them.
var (
	ErrLate      = errors.New("the run fell behind its schedule")
	ErrMaxErrors = errors.New("too many operations failed")
)

// Run drives one phase of load and returns its counts and latencies.
//
// The lines of the phase go to the sink, which may be nil: first a [record.Overhead]
// with the cost of the clock; for each interval a [record.Load] and then a
// [record.Hist] for each kind and tag that has values; at the end a final
// [record.Load] and the warnings, each a [record.Warn] with a code such as
// rate-missed; docs/warnings.md lists them. The last interval includes the drain and may be longer than the
// others.
//
// The error is nil if the phase ended as configured. If the context was cancelled, it
// is [context.Cause]. It wraps ErrLate if operations were too late, ErrMaxErrors if too
// many failed, the error of the sink, or a *[PanicError] if the target panicked. The
// Interval then covers the time before. It is nil only if the phase could not begin:
// the configuration is invalid, or a worker could not be opened.
//
// When the context is cancelled, so is that of the operations in flight; they
// count as unfinished. A worker that does not return from an operation within a second
// of its cancellation is abandoned, with a warning. Run closes workers, the
// caller closes the target.
func Run(ctx context.Context, t Target, c Config, sink Sink) (*Interval, error) {
	switch {
	case ctx == nil:
		return nil, errors.New("load: Run: ctx is nil")
	case t == nil:
		return nil, errors.New("load: Run: t is nil")
	}
	if err := c.Validate(); err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	c = c.filled()
	tm, err := newTiming(c)
	if err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	return run(ctx, t, c, sink, tm)
}

// run is Run for a valid configuration without zero values.
func run(ctx context.Context, t Target, c Config, sink Sink, tm timing) (*Interval, error) {
	e, err := newEngine(t, c, sink, tm)
	if err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	defer e.alarm.Stop()
	if e.group != nil {
		defer e.group.Close()
	}
	// Operations in flight end with the run, not with its context: operations
	// answered before must be counted.
	e.workCtx, e.cancelWork = context.WithCancel(context.WithoutCancel(ctx))
	defer e.cancelWork()
	if err := e.begin(ctx); err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	if e.cost > 0 {
		e.write(&record.Overhead{Clock: e.cost})
	}
	e.drive(ctx)
	whole := e.finish()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.failure != nil {
		return whole, fmt.Errorf("load: %w", e.failure)
	}
	return whole, nil
}
