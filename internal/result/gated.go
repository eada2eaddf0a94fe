package result

// States of [Gated].
const (
	GateMissed     = "missed"      // the gate fires
	GateNotDecided = "not-decided" // it neither fires nor passes: what it is about cannot be trusted, or was lost
	GateUndecided  = "undecided"   // it passes, because the verdict is undecided
	GateLost       = "passes-lost" // the benchmark was lost, and the base's tare.toml or --lost says that this passes
)

// ReasonLost is the reason of a gate about what was lost.
const ReasonLost = "lost"

// GateState returns the state of a gate: GateMissed if its figure is beyond the limit, "" if the gate passes. A
// figure that is not trusted gives GateNotDecided in both cases.
func GateState(beyond, trusted bool) string {
	switch {
	case !trusted:
		return GateNotDecided
	case beyond:
		return GateMissed
	}
	return ""
}

// Gated is what a gate found about one comparison, or about what was lost. Comparisons that pass with a verdict are
// not among them.
type Gated struct {
	Gate    string   `json:"gate"`  // as it was typed: slower:5%; of what was lost, all gates that it is under
	State   string   `json:"state"` // GateMissed …
	Reasons []string `json:"reasons,omitempty"`
	Pkg     string   `json:"pkg"`
	Name    string   `json:"name"`
	Procs   int      `json:"procs,omitempty"`
	Role    string   `json:"role,omitempty"`
	Side    string   `json:"side"`
	Unit    string   `json:"unit"` // "": the whole benchmark was lost
	Text    string   `json:"text"` // one line
}

// GateCounts is how many rows gates were about, by what became of them. A row under several gates counts once, as the
// worst.
type GateCounts struct {
	Missed     int `json:"missed"`
	NotDecided int `json:"not_decided"`
	Passed     int `json:"passed"`
}

// GatesOf returns what gates found about a comparison.
func (r *Result) GatesOf(c *Comparison) []Gated {
	return r.gatesOf(Gated{Pkg: c.Pkg, Name: c.Name, Procs: c.Procs, Role: c.Role, Side: c.Side, Unit: c.Unit}, false)
}

// GateOfLost returns what became of what was lost under its gates; "" if it is under none.
func (r *Result) GateOfLost(l *Lost) string {
	for _, g := range r.gatesOf(Gated{Pkg: l.Pkg, Name: l.Name, Procs: l.Procs, Role: l.Role, Side: l.Side, Unit: l.Unit}, true) {
		return g.State
	}
	return ""
}

func (r *Result) gatesOf(of Gated, lost bool) (out []Gated) {
	for _, g := range r.Gates {
		if g.IsLost() == lost && g.Pkg == of.Pkg && g.Name == of.Name && g.Procs == of.Procs && g.Role == of.Role && g.Side == of.Side && g.Unit == of.Unit {
			out = append(out, g)
		}
	}
	return out
}

// IsLost reports whether it is about what was lost.
func (g *Gated) IsLost() bool { return len(g.Reasons) == 1 && g.Reasons[0] == ReasonLost }

// GatesIn returns what gates found with one state.
func (r *Result) GatesIn(state string) (out []Gated) {
	for _, g := range r.Gates {
		if g.State == state {
			out = append(out, g)
		}
	}
	return out
}
