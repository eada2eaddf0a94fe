// Package machines combines the runs of one benchmark command on several machines: how much a change makes of each
// benchmark on each machine, and on machines in general.
//
//	all := runs.Read(file, "all.jsonl")
//	for _, group := range machines.Groups(all) {
//		res, err := machines.Combine(group)
//	}
//
// Each machine has compared the sides by its own interleaved forks. Only the ratios of machines are combined, by
// [stat.CombineMachines]: a machine is a level of its own above forks and iterations, and times of different machines are
// never put together.
package machines

import (
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/runs"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Codes of the warnings that only several machines have.
const (
	CodeDiffer      = "machines-differ" // a benchmark's change is not the same on all machines
	CodeNotCombined = "not-combined"    // a machine's ratio has no interval
	CodeFew         = "few-machines"    // two machines, whose spread is as good as unknown
	CodeMissing     = "missing"         // a machine does not have a benchmark or unit
	CodePartial     = "partial"         // the run of a machine did not end
	CodeToolchains  = "toolchains"      // machines have other versions of Go
)

// Result is what several machines say of the same two or more sides.
type Result struct {
	Group      string           `json:"group"`
	Machines   []Machine        `json:"machines"` // in the order of the record
	Sides      []record.Side    `json:"sides"`    // as the first machine has them
	Confidence float64          `json:"confidence"`
	Threshold  float64          `json:"threshold"` // relative change that does not matter
	Rows       []Row            `json:"comparisons"`
	Warnings   []result.Warning `json:"warnings,omitempty"` // about all rows
}

// Machine is one of the machines.
type Machine struct {
	Name  string `json:"name"`
	CPU   string `json:"cpu,omitempty"` // model
	OS    string `json:"os"`
	Arch  string `json:"arch"`
	Cores int    `json:"cores"`
	Go    string `json:"go"`
}

// Row is one unit of one benchmark on all machines that have it.
type Row struct {
	// Combined is over machines in general. Its Old and New are not known, its OldN and NewN are 0, and Procs is 0
	// where machines have other numbers of processors. It is trusted if the comparison of every machine is.
	Combined result.Comparison `json:"combined"`
	Machines []On              `json:"machines"` // those that have the benchmark, in the order of Result.Machines
	Across   *Across           `json:"across,omitempty"`
	// Components are what iterations, forks and machines add to the variation of the main unit. See [components].
	Components []result.Component `json:"components,omitempty"`
	Advice     string             `json:"advice,omitempty"` // whether more machines or more forks would decide the row

	all  []found
	over stat.MachinesComparison
}

// On is the row on one machine. The verdict is the machine's own; Ratio, Lo and Hi are of the quantity that By of Combined
// names, which may not be the one that decided on the machine.
type On struct {
	Machine string        `json:"machine"`
	Procs   int           `json:"procs,omitempty"`
	Ratio   result.Number `json:"ratio"`
	Lo      result.Number `json:"lo"`
	Hi      result.Number `json:"hi"`
	Verdict string        `json:"verdict"`
	Trusted bool          `json:"trusted"`
	Used    bool          `json:"used"` // in Combined
}

// Across says how the ratio varies over machines. It is absent where values are exact, and where fewer than two machines
// have an interval.
type Across struct {
	These        Ratio         `json:"these"`         // the mean of these machines; nothing about others
	Another      Ratio         `json:"another"`       // holds the true ratio of another machine
	SD           result.Number `json:"sd"`            // between machines' true ratios, relative
	Share        result.Number `json:"share"`         // I²: of the variance of the machines' ratios, what is between machines
	Q            result.Number `json:"q"`             // Cochran's
	HomogeneityP result.Number `json:"homogeneity_p"` // of the hypothesis that all machines have one ratio
	AdjustedP    result.Number `json:"adjusted_homogeneity_p"`
	Differ       bool          `json:"differ,omitempty"` // AdjustedP is below 1-confidence
}

// Ratio is a ratio with its interval.
type Ratio struct {
	Ratio result.Number `json:"ratio"`
	Lo    result.Number `json:"lo"`
	Hi    result.Number `json:"hi"`
}

func ratioOf(e stat.Estimate) Ratio {
	return Ratio{result.Number(e.Value), result.Number(e.Lo), result.Number(e.Hi)}
}

// Groups returns the runs of each group of a file that holds more than one, in the order of the file. Copies of runs are
// left out.
func Groups(all []*runs.Run) [][]*runs.Run {
	at := map[string]int{}
	var out, several [][]*runs.Run
	for _, r := range all {
		if r.Run == nil || r.Run.Group == "" || r.CopyOf != 0 {
			continue
		}
		i, ok := at[r.Run.Group]
		if !ok {
			i = len(out)
			at[r.Run.Group] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], r)
	}
	for _, g := range out {
		if len(g) > 1 {
			several = append(several, g)
		}
	}
	return several
}

// Judged returns the combined comparisons as those of a run, for gates.
func (r *Result) Judged() *result.Result {
	out := &result.Result{Confidence: r.Confidence}
	for _, row := range r.Rows {
		out.Comparisons = append(out.Comparisons, row.Combined)
	}
	return out
}
