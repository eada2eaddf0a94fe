package profile

import (
	"fmt"
	"io"

	"github.com/tarebench/tare/internal/base/termtext"
)

// differenceDocument is the shape of the JSON of a difference. Shares are 0 to 1, differences new less old.
type differenceDocument struct {
	Base       string       `json:"base"`
	Side       string       `json:"side"`
	Type       string       `json:"type"`
	Unit       string       `json:"unit"`
	OldTotal   int64        `json:"base_total"` // of what shares are
	NewTotal   int64        `json:"total"`
	Confidence float64      `json:"confidence,omitempty"` // absent: nothing was sampled, and there are no intervals
	Focus      string       `json:"focus,omitempty"`
	Ignore     string       `json:"ignore,omitempty"`
	Functions  []jsonChange `json:"functions"`
	Warnings   []Warning    `json:"warnings,omitempty"`
}

type jsonChange struct {
	Name  string    `json:"name"`
	File  string    `json:"file,omitempty"`
	Self  jsonShift `json:"self"`
	Total jsonShift `json:"total"`
}

type jsonShift struct {
	Old        float64  `json:"base_share"`
	New        float64  `json:"share"`
	Difference float64  `json:"difference"`
	Lo         *float64 `json:"lo,omitempty"`
	Hi         *float64 `json:"hi,omitempty"`
	P          *float64 `json:"p,omitempty"`
	Adjusted   *float64 `json:"p_adjusted,omitempty"`
	Verdict    string   `json:"verdict,omitempty"` // more, less, within noise
}

// JSON writes the difference as one JSON object.
func (d *Difference) JSON(w io.Writer) error {
	out := differenceDocument{Base: d.Names[0], Side: d.Names[1], Type: d.New.Type, Unit: d.New.Unit, OldTotal: d.Old.Shown, NewTotal: d.New.Shown,
		Focus: expression(d.New.cfg.Focus), Ignore: expression(d.New.cfg.Ignore), Functions: []jsonChange{}, Warnings: d.Warnings()}
	if d.Sampled {
		out.Confidence = d.Confidence
	}
	for _, c := range d.Functions {
		out.Functions = append(out.Functions, jsonChange{c.Name, c.File, d.jsonShift(c.Self), d.jsonShift(c.Total)})
	}
	if err := termtext.NewJSON(w, "\t").Encode(out); err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	return nil
}

func (d *Difference) jsonShift(c ShareChange) jsonShift {
	out := jsonShift{Old: c.Old, New: c.New, Difference: c.Value, Verdict: d.Verdict(c)}
	if d.Sampled {
		out.Lo, out.Hi, out.P, out.Adjusted = &c.Lo, &c.Hi, &c.P, &c.Adjusted
	}
	return out
}
