package result

// States of [Gated].
const (
	GateMissed    = "missed"        // the gate fires
	GateFewForks  = "too-few-forks" // it would fire, and passes, because there are too few forks
	GateUndecided = "undecided"     // it passes, because nobody knows
)

// Gated is what a gate found about one comparison. Comparisons that pass with a verdict are not among them.
type Gated struct {
	Gate  string `json:"gate"`  // as it was typed: slower:5%
	State string `json:"state"` // GateMissed …
	Pkg   string `json:"pkg"`
	Name  string `json:"name"`
	Procs int    `json:"procs,omitempty"`
	Role  string `json:"role,omitempty"`
	Side  string `json:"side"`
	Unit  string `json:"unit"`
	Text  string `json:"text"` // one line
}

// GatesOf returns what gates found about a comparison.
func (r *Result) GatesOf(c *Comparison) (out []Gated) {
	for _, g := range r.Gates {
		if g.Pkg == c.Pkg && g.Name == c.Name && g.Procs == c.Procs && g.Role == c.Role && g.Side == c.Side && g.Unit == c.Unit {
			out = append(out, g)
		}
	}
	return out
}
