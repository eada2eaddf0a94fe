package profile

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/tarebench/tare/internal/base/termtext"
)

// The objects of speedscope's files: src/lib/file-format-spec.ts of jlfwong/speedscope.
type (
	scopeFile struct {
		Schema   string         `json:"$schema"`
		Exporter string         `json:"exporter"`
		Name     string         `json:"name,omitempty"`
		Shared   scopeShared    `json:"shared"`
		Profiles []scopeProfile `json:"profiles"`
	}
	scopeShared struct {
		Frames []scopeFrame `json:"frames"`
	}
	scopeFrame struct {
		Name string `json:"name"`
		File string `json:"file,omitempty"`
		Line int64  `json:"line,omitempty"`
	}
	scopeProfile struct {
		Type       string  `json:"type"`
		Name       string  `json:"name"`
		Unit       string  `json:"unit"`
		StartValue int64   `json:"startValue"`
		EndValue   int64   `json:"endValue"`
		Samples    [][]int `json:"samples"` // indices of frames, the outermost first
		Weights    []int64 `json:"weights"` // one for each sample
	}
)

// Speedscope writes the stacks as a file of speedscope (https://www.speedscope.app). It has the stacks that
// [View.Collapsed] has, in the order of the profile: samples do not tell in which order they were taken.
func (v *View) Speedscope(w io.Writer) error {
	stacks := v.shown()
	at, nodes := v.graphNodes(stacks)
	p := scopeProfile{Type: "sampled", Name: v.Type, Unit: v.scopeUnit(), Samples: [][]int{}, Weights: []int64{}}
	for _, s := range stacks {
		frames := make([]int, len(s.names))
		for i, n := range s.names {
			frames[i] = at[n]
		}
		p.Samples, p.Weights = append(p.Samples, frames), append(p.Weights, s.value)
		p.EndValue += s.value
	}
	f := scopeFile{Schema: "https://www.speedscope.app/file-format-schema.json", Exporter: "tare", Name: v.program, Profiles: []scopeProfile{p}}
	f.Shared.Frames = []scopeFrame{}
	for _, n := range nodes {
		f.Shared.Frames = append(f.Shared.Frames, scopeFrame{Name: n.name, File: n.file, Line: n.line})
	}
	if err := json.NewEncoder(termtext.JSON(w)).Encode(f); err != nil {
		return fmt.Errorf("profile: speedscope: %w", err)
	}
	return nil
}

// scopeUnit returns the unit as speedscope names it.
func (v *View) scopeUnit() string {
	switch v.Unit {
	case "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes":
		return v.Unit
	}
	return "none"
}
