package result

import (
	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/result/attached"
)

// CountedInstructions is what differs in the instructions of a benchmark between two sides.
type CountedInstructions struct {
	Pkg      string   `json:"pkg"`
	Name     string   `json:"name"`
	Procs    int      `json:"procs,omitempty"`
	Renamed  *Renamed `json:"renamed,omitempty"`
	Base     string   `json:"base"`
	Side     string   `json:"side"`
	OldForks int      `json:"old_forks"` // that counted
	NewForks int      `json:"new_forks"`
	Reasons  []string `json:"reasons,omitempty"` // codes of what speaks against trust of a difference
	attached.InstructionChanges
}

// counted compares the instructions of the benchmarks that were counted on both sides.
func (b *Builder) counted(base, side string) (out []CountedInstructions) {
	for _, p := range b.pairs(base, side) {
		old, new := attached.AddInstructions(p[0].instructions), attached.AddInstructions(p[1].instructions)
		name, renamed := pairName(p[0], p[1])
		if old == nil || new == nil {
			continue
		}
		var reasons []string
		if b.unexplained(p[0], p[1]) {
			reasons = []string{diagnosis.OneBinary}
		}
		out = append(out, CountedInstructions{
			Pkg: p[0].line.Pkg, Name: name, Renamed: renamed, Procs: p[0].line.Procs, Base: base, Side: side,
			OldForks: old.Forks, NewForks: new.Forks, Reasons: reasons, InstructionChanges: *attached.CompareInstructions(old, new),
		})
	}
	return out
}
