package profile

import (
	"fmt"
	"io"
	"math"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/record"
)

// document is the shape of the JSON. Keys are absent where they do not apply.
type document struct {
	How       *record.Sampled `json:"how,omitempty"`
	Type      string          `json:"type"`
	Unit      string          `json:"unit"`
	Total     int64           `json:"total"`
	Blocked   int64           `json:"blocked,omitempty"` // part of total: goroutines waited
	Harness   int64           `json:"harness,omitempty"` // part of total, not of blocked: package testing waited for the code under test
	Focus     string          `json:"focus,omitempty"`   // regexp: only stacks with a matching function are counted
	Ignore    string          `json:"ignore,omitempty"`  // regexp: stacks with a matching function are not counted
	Kept      *int64          `json:"kept,omitempty"`    // time in the stacks that focus and ignore select; absent without either
	CountType string          `json:"count_type,omitempty"`
	Functions []jsonFunction  `json:"functions"` // most self first
	Path      []jsonEdge      `json:"path,omitempty"`
	Reasons   []jsonReason    `json:"reasons,omitempty"`
	Warnings  []Warning       `json:"warnings,omitempty"`
}

type jsonFunction struct {
	Name       string  `json:"name"`
	File       string  `json:"file,omitempty"`
	Self       int64   `json:"self"`
	Total      int64   `json:"total"`
	Count      int64   `json:"count,omitempty"` // of count_type
	SelfShare  float64 `json:"self_share"`
	SelfError  float64 `json:"self_error,omitempty"`
	TotalShare float64 `json:"total_share"`
	TotalError float64 `json:"total_error,omitempty"`

	SelfValueError  float64 `json:"self_value_error,omitempty"`
	TotalValueError float64 `json:"total_value_error,omitempty"`

	// Parts of self and total; absent where no goroutine waited.
	RunningSelf  *int64 `json:"running_self,omitempty"`
	RunningTotal *int64 `json:"running_total,omitempty"`
	BlockedSelf  int64  `json:"blocked_self,omitempty"`
	BlockedTotal int64  `json:"blocked_total,omitempty"`
}

type jsonEdge struct {
	Parent   string `json:"parent,omitempty"`
	Function string `json:"function"`
	Value    int64  `json:"ns"`
	Blocked  int64  `json:"blocked_ns,omitempty"` // part of ns
}

type jsonReason struct {
	State     string         `json:"state"`
	Reason    string         `json:"reason,omitempty"`
	Value     int64          `json:"value"`
	Share     float64        `json:"share"`
	Functions []jsonFunction `json:"functions"`
}

// JSON writes the whole view as one JSON object.
func (v *View) JSON(w io.Writer) error {
	d := document{How: v.how, Type: v.Type, Unit: v.Unit, Total: v.Total, Blocked: v.Blocked, Harness: v.Harness, CountType: v.CountType, Functions: v.jsonFunctions(v.Functions, v.waits()), Warnings: v.warnings}
	if v.cfg.Narrows() {
		d.Focus, d.Ignore, d.Kept = expression(v.cfg.Focus), expression(v.cfg.Ignore), &v.Kept
	}
	for _, e := range v.Edges {
		d.Path = append(d.Path, jsonEdge{e.Parent, e.Function, e.Value, e.Blocked})
	}
	for _, r := range v.Reasons {
		d.Reasons = append(d.Reasons, jsonReason{r.State, r.Reason, r.Value, v.Share(r.Value), v.jsonFunctions(r.Functions, false)})
	}
	if err := termtext.NewJSON(w, "\t").Encode(d); err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	return nil
}

// tenth rounds: more digits of an error of nanoseconds, or of counts, are noise.
func tenth(x float64) float64 { return math.Round(10*x) / 10 }

// jsonFunctions returns functions for JSON, with the time that they ran and were blocked if that is wanted.
func (v *View) jsonFunctions(list []Function, activity bool) []jsonFunction {
	out := make([]jsonFunction, 0, len(list))
	for _, f := range list {
		x := jsonFunction{
			Name: f.Name, File: f.File, Self: f.Self, Total: f.Total, Count: f.Count,
			SelfShare: v.Share(f.Self), SelfError: f.SelfError, TotalShare: v.Share(f.Total), TotalError: f.TotalError,
			SelfValueError: tenth(f.SelfValueError), TotalValueError: tenth(f.TotalValueError),
		}
		if activity {
			x.RunningSelf, x.RunningTotal = &f.RunningSelf, &f.RunningTotal
			x.BlockedSelf, x.BlockedTotal = f.BlockedSelf, f.BlockedTotal
		}
		out = append(out, x)
	}
	return out
}
