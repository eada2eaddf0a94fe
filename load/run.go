package load

import "context"

// Run drives one phase of load and returns what happened in the whole of it. If
// the context is cancelled, the phase ends early and the totals say so.
func Run(ctx context.Context, t Target, c Config, sink Sink) (*Interval, error) {
	panic("to be written")
}
