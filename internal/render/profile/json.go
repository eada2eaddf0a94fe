package profile

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/record"
)

// document is the shape of the JSON. Keys are absent where they do not apply.
type document struct {
	How       *record.Sampled `json:"how,omitempty"`
	Type      string          `json:"type"`
	Unit      string          `json:"unit"`
	Total     int64           `json:"total"`
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
}

type jsonEdge struct {
	Parent   string `json:"parent,omitempty"`
	Function string `json:"function"`
	Value    int64  `json:"ns"`
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
	d := document{How: v.how, Type: v.Type, Unit: v.Unit, Total: v.Total, CountType: v.CountType, Functions: v.jsonFunctions(v.Functions), Warnings: v.warnings}
	for _, e := range v.Edges {
		d.Path = append(d.Path, jsonEdge(e))
	}
	for _, r := range v.Reasons {
		d.Reasons = append(d.Reasons, jsonReason{r.State, r.Reason, r.Value, v.Share(r.Value), v.jsonFunctions(r.Functions)})
	}
	e := json.NewEncoder(termtext.JSON(w))
	e.SetIndent("", "\t")
	e.SetEscapeHTML(false)
	if err := e.Encode(d); err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	return nil
}

// tenth rounds: more digits of an error of nanoseconds, or of counts, are noise.
func tenth(x float64) float64 { return math.Round(10*x) / 10 }

func (v *View) jsonFunctions(list []Function) []jsonFunction {
	out := make([]jsonFunction, 0, len(list))
	for _, f := range list {
		out = append(out, jsonFunction{f.Name, f.File, f.Self, f.Total, f.Count, v.Share(f.Self), f.SelfError, v.Share(f.Total), f.TotalError, tenth(f.SelfValueError), tenth(f.TotalValueError)})
	}
	return out
}
