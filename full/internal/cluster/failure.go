package cluster

import (
	"errors"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/load"
)

// failure is an error in a message. A part of what it wraps is kept.
type failure struct {
	Text    string             `json:"text"`
	Hint    string             `json:"hint,omitempty"`
	Reason  string             `json:"reason,omitempty"` // in reasons
	Refused *load.RefusedError `json:"refused,omitempty"`
}

// errStopped is the error of a phase that an order ended.
var errStopped = errors.New("the controller ended the phase")

// errAlone is the error of a phase that an agent ended because its controller was gone.
var errAlone = errors.New("the controller sends no messages any more")

// errLeft is the error of a phase that an agent ended because it was stopped itself.
var errLeft = errors.New("the agent was stopped")

// leftAlone reports whether an agent ended its phase without an order: its operations are not sent any more.
func (d *done) leftAlone() bool { return d.Err.is(errAlone) || d.Err.is(errLeft) }

// reasons are errors that controllers distinguish.
var reasons = map[string]error{"late": load.ErrLate, "max-errors": load.ErrMaxErrors, "stopped": errStopped, "alone": errAlone, "left": errLeft, "too-late": load.ErrTooLate}

// failureOf returns an error for a message, nil for nil.
func failureOf(err error) *failure {
	if err == nil {
		return nil
	}
	f := &failure{Text: err.Error()}
	if e := exit.As(err); e != nil {
		f.Hint = e.Hint
	}
	for name, reason := range reasons {
		if errors.Is(err, reason) {
			f.Reason = name
		}
	}
	errors.As(err, &f.Refused)
	return f
}

// received is an error out of a message.
type received struct {
	text    string
	wrapped error
}

func (r *received) Error() string { return r.text }
func (r *received) Unwrap() error { return r.wrapped }

// err returns the error again, with the name of its agent.
func (f *failure) err(agent string) error {
	if f == nil {
		return nil
	}
	r := &received{text: "agent " + agent + ": " + f.Text, wrapped: reasons[f.Reason]}
	if f.Refused != nil {
		r.wrapped = f.Refused
	}
	if f.Hint != "" {
		return exit.Failed(r, f.Hint)
	}
	return r
}

// is reports whether the failure has a reason.
func (f *failure) is(reason error) bool { return f != nil && reasons[f.Reason] == reason }
