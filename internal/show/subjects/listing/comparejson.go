package listing

import (
	"encoding/json"

	"github.com/tarebench/tare/stat"
)

// comparisonObject is a comparison for programs. Values are shares, 0 to 1, or ns/op,
// as Unit says.
type comparisonObject struct {
	Old        jsonSide       `json:"old"`
	New        jsonSide       `json:"new"`
	Event      string         `json:"event"`
	Unit       string         `json:"unit"` // share or ns/op
	Confidence float64        `json:"confidence"`
	Regions    []jsonCompared `json:"regions"`
	Functions  []jsonCompared `json:"functions"` // after inlining
	Areas      []jsonCompared `json:"areas"`
	Warnings   []Warning      `json:"warnings,omitempty"`
}

type jsonSide struct {
	Binary  string `json:"binary,omitempty"`
	BuildID string `json:"build_id,omitempty"`
	Forks   int    `json:"forks"`
	Samples int64  `json:"samples"`
	Lost    int64  `json:"lost"`
}

type jsonCompared struct {
	Name       string       `json:"name"`
	Place      string       `json:"place,omitempty"` // of the new side, if it is there
	OldSamples int64        `json:"old_samples"`
	NewSamples int64        `json:"new_samples"`
	Old        float64      `json:"old"`
	New        float64      `json:"new"`
	Diff       *float64     `json:"diff"` // new - old
	Lo         *float64     `json:"lo"`
	Hi         *float64     `json:"hi"`
	P          *float64     `json:"p"` // corrected for the number of rows
	Verdict    stat.Verdict `json:"verdict"`
	Trusted    bool         `json:"trusted"`
}

// MarshalJSON writes all rows. Those of each list add up to the samples of a side.
func (m *Comparison) MarshalJSON() ([]byte, error) {
	o := comparisonObject{
		Old: m.old.json(), New: m.new.json(), Event: m.old.l.asm.Events[0].Name, Unit: m.old.l.unit.title(0), Confidence: confidence,
		Regions: jsonComparedRows(m.regions), Functions: jsonComparedRows(m.inlined), Areas: jsonComparedRows(m.areas), Warnings: m.warnings,
	}
	if m.old.l.unit.counts == Raw { // samples of two sides are not comparable
		o.Unit = "share"
	}
	return json.Marshal(&o)
}

func (s *listedSide) json() jsonSide {
	e := &s.l.asm.Events[0]
	return jsonSide{Binary: s.l.asm.Binary, BuildID: s.l.asm.BuildID, Forks: len(s.forks), Samples: e.Samples, Lost: e.Lost}
}

func jsonComparedRows(rows []compared) []jsonCompared {
	out := []jsonCompared{}
	for _, r := range rows {
		out = append(out, jsonCompared{
			Name: r.name, Place: r.place, OldSamples: r.old, NewSamples: r.new, Old: r.d.old, New: r.d.new,
			Diff: finite(r.d.diff), Lo: finite(r.d.lo), Hi: finite(r.d.hi), P: finite(r.d.adjusted), Verdict: r.d.verdict, Trusted: r.d.trusted,
		})
	}
	return out
}
