package gotarget

import (
	"encoding/json"
	"errors"

	"github.com/tarebench/tare/load"
)

// This file is compiled into the process, too: it must not use others of this package.

// A request is a line from tare. It has one field.
type request struct {
	Open   *opening `json:"open,omitempty"`   // makes the target; the first request
	Run    *phase   `json:"run,omitempty"`    // a phase; another begins when it is over
	Cancel bool     `json:"cancel,omitempty"` // ends the phase early
	Close  bool     `json:"close,omitempty"`  // the last request
}

// opening is a call of Target.
type opening struct {
	Cfg map[string]string `json:"cfg"`
}

// phase is one call of load.Run.
type phase struct {
	Config phaseConfig `json:"config"`
	Idle   bool        `json:"idle,omitempty"` // of a target that does nothing
}

// phaseConfig is a load.Config without what is no JSON: its functions and its share, which Run refuses.
type phaseConfig struct {
	load.Config
	Status  *struct{} `json:"Status,omitempty"`
	Share   *struct{} `json:"Share,omitempty"`
	Ready   *struct{} `json:"Ready,omitempty"`
	Observe *struct{} `json:"Observe,omitempty"` // never set: properties are the target's own, not YCSB's
}

// An answer is a line from the process. It has one field.
type answer struct {
	Opened   *opened         `json:"opened,omitempty"`
	Line     json.RawMessage `json:"line,omitempty"`     // of the record
	Interval *interval       `json:"interval,omitempty"` // the lines since the last one are those of an interval
	Done     *done           `json:"done,omitempty"`     // answers Run and Close
}

// opened answers Open.
type opened struct {
	Kinds []string `json:"kinds,omitempty"`
	Go    string   `json:"go"` // version that the process was built with
	Err   *failure `json:"err,omitempty"`
}

// interval is what a load.Interval has besides lines of the record.
type interval struct {
	First map[string]string `json:"first,omitempty"`
}

// done is what load.Run returned.
type done struct {
	Lines []json.RawMessage `json:"lines,omitempty"` // of the whole phase: a load line, then a hist line for each latency; none if it could not begin
	First map[string]string `json:"first,omitempty"`
	Err   *failure          `json:"err,omitempty"`
}

// failure is an error. A part of what it wraps is kept.
type failure struct {
	Text    string             `json:"text"`
	Reason  string             `json:"reason,omitempty"` // in reasons
	Refused *load.RefusedError `json:"refused,omitempty"`
	Panic   bool               `json:"panic,omitempty"`
}

// reasons are errors that callers distinguish.
var reasons = map[string]error{"late": load.ErrLate, "max-errors": load.ErrMaxErrors}

// failureOf returns an error for the wire.
func failureOf(err error) *failure {
	if err == nil {
		return nil
	}
	f := &failure{Text: err.Error()}
	for name, reason := range reasons {
		if errors.Is(err, reason) {
			f.Reason = name
		}
	}
	errors.As(err, &f.Refused)
	f.Panic = errors.As(err, new(*load.PanicError))
	return f
}

// received is an error from the wire.
type received struct {
	text    string
	wrapped error
}

func (r *received) Error() string { return r.text }
func (r *received) Unwrap() error { return r.wrapped }

// err returns the error again.
func (f *failure) err() error {
	if f == nil {
		return nil
	}
	r := &received{text: f.Text, wrapped: reasons[f.Reason]}
	if f.Refused != nil {
		r.wrapped = f.Refused
	}
	return r
}
