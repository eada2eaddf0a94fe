package machines

import (
	"fmt"
	"slices"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/runs"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Combine combines the runs of one group. It fails if they cannot be combined: runs that are not of benchmarks, that
// compare nothing or other sides, that were made of other sources or by another configuration; the error names all of it.
func Combine(group []*runs.Run) (*Result, error) {
	if err := check(group); err != nil {
		return nil, err
	}
	first := group[0].Run
	out := &Result{
		Group: first.Group, Sides: first.Sides, Rows: []Row{},
		Confidence: first.Config.Confidence, Threshold: first.Config.Threshold,
	}
	if out.Confidence == 0 {
		out.Confidence = result.DefaultConfidence
	}
	if out.Threshold == 0 {
		out.Threshold = stat.DefaultThreshold
	}
	for _, r := range group {
		e := r.Run.Env
		out.Machines = append(out.Machines, Machine{Name: r.Run.Machine, CPU: e.CPU, OS: e.OS, Arch: e.Arch, Cores: e.Cores, Go: e.Go})
	}
	for _, k := range keysOf(group) {
		out.Rows = append(out.Rows, out.row(k, group))
	}
	out.correct(first.Config.Correction)
	for i := range out.Rows {
		out.Rows[i].explain(out)
	}
	out.Warnings = warnings(out, group)
	return out, nil
}

// key is what makes comparisons on several machines the same. Procs is the place among the values of GOMAXPROCS that
// were asked for, because the default is another number on each machine.
type key struct {
	pkg, name, role, base, side, unit string
	procs                             int
}

func keyOf(run *record.Run, c *result.Comparison) key {
	return key{c.Pkg, c.Name, c.Role, c.Base, c.Side, c.Unit, slices.Index(run.Config.CPU, c.Procs)}
}

// keysOf returns all keys in the order in which the runs have them first.
func keysOf(group []*runs.Run) (out []key) {
	seen := map[key]bool{}
	for _, r := range group {
		for i := range r.Comparisons {
			if k := keyOf(r.Run, &r.Comparisons[i]); !seen[k] {
				seen[k] = true
				out = append(out, k)
			}
		}
	}
	return out
}

// found is a comparison and the run that it is of.
type found struct {
	run *runs.Run
	c   *result.Comparison
}

func find(k key, group []*runs.Run) (out []found) {
	for _, r := range group {
		for i := range r.Comparisons {
			if c := &r.Comparisons[i]; keyOf(r.Run, c) == k {
				out = append(out, found{r, c})
				break
			}
		}
	}
	return out
}

// row combines one unit of one benchmark.
func (r *Result) row(k key, group []*runs.Run) Row {
	all := find(k, group)
	row := Row{all: all, Combined: result.Comparison{
		Pkg: k.pkg, Name: k.name, Role: k.role, Base: k.base, Side: k.side, Unit: k.unit, Main: all[0].c.Main, Procs: all[0].c.Procs, Trusted: true,
	}}
	var cs []stat.Comparison
	for _, x := range all {
		if x.c.Procs != row.Combined.Procs {
			row.Combined.Procs = 0
		}
		row.Machines = append(row.Machines, On{Machine: x.run.Run.Machine, Procs: x.c.Procs, Verdict: x.c.Verdict, Trusted: x.c.Trusted})
		cs = append(cs, tested(x.c))
		row.distrust(&x)
	}
	o := cs[0].Options
	o.Confidence, o.Threshold = r.Confidence, r.Threshold
	row.over = stat.CombineMachines(cs, o)
	row.Combined.Judge(row.over.Comparison)
	for _, i := range row.over.Used {
		row.Machines[i].Used = true
	}
	return row
}

// spread sets how the ratio varies over machines, once the verdict has decided which quantity that is of.
func (row *Row) spread() {
	by := row.Combined.By
	for i, x := range row.all {
		e := Ratio{x.c.Ratio, x.c.Lo, x.c.Hi}
		switch {
		case x.c.Undisturbed != nil && by == stat.ByUndisturbed:
			e = Ratio{x.c.Undisturbed.Ratio, x.c.Undisturbed.Lo, x.c.Undisturbed.Hi}
		case x.c.Undisturbed != nil:
			e = Ratio{x.c.Typical.Ratio, x.c.Typical.Lo, x.c.Typical.Hi}
		}
		on := &row.Machines[i]
		on.Ratio, on.Lo, on.Hi = e.Ratio, e.Lo, e.Hi
	}
	over := row.over.Over(by)
	if over.Machines < 2 {
		return
	}
	row.Across = &Across{
		These: ratioOf(over.These), Another: ratioOf(over.Another), SD: result.Number(over.SD), Share: result.Number(over.Share),
		Q: result.Number(over.Q), HomogeneityP: result.Number(over.HomogeneityP), AdjustedP: result.Number(over.HomogeneityP),
	}
	if row.Combined.Main {
		row.Components = components(row.all, over)
	}
}

// tested returns what package stat found; of a binary against itself, which is not tested, the same as a comparison.
func tested(c *result.Comparison) stat.Comparison {
	if c.Verdict != string(stat.Identical) {
		return c.Tested()
	}
	return stat.Comparison{Ratio: 1, Lo: 1, Hi: 1, P: 1, AdjustedP: 1, Verdict: stat.Identical, Options: stat.Options{Exact: true}}
}

// distrust takes over why the comparison of a machine is not trusted.
func (row *Row) distrust(x *found) {
	c := &row.Combined
	if x.c.Trusted {
		return
	}
	c.Trusted = false
	for _, code := range x.c.Reasons {
		if !slices.Contains(c.Reasons, code) {
			c.Reasons = append(c.Reasons, code)
		}
	}
	for _, w := range x.c.Warnings {
		if slices.Contains(x.c.Reasons, w.Code) {
			w.Text = fmt.Sprintf("%s: %s", x.run.Run.Machine, w.Text)
			c.Warnings = append(c.Warnings, w)
		}
	}
}

// correct corrects p over the rows of each unit as the runs do, and likewise the p of machines being alike.
func (r *Result) correct(correction string) {
	how := stat.BenjaminiHochberg
	switch correction {
	case result.Holm:
		how = stat.Holm
	case result.NoCorrection:
		how = slices.Clone[[]float64]
	}
	rows := r.Judged().Comparisons
	result.Correct(rows, how)
	families := map[string][]*Across{}
	for i := range rows {
		rows[i].Bootstrap = nil // there is none
		r.Rows[i].Combined = rows[i]
		r.Rows[i].spread()
		if a := r.Rows[i].Across; a != nil {
			family := rows[i].Side + "\x00" + rows[i].Unit
			families[family] = append(families[family], a)
		}
	}
	for _, all := range families {
		ps := make([]float64, len(all))
		for i, a := range all {
			ps[i] = float64(a.HomogeneityP)
		}
		for i, p := range how(ps) {
			all[i].AdjustedP, all[i].Differ = result.Number(p), p < 1-r.Confidence
		}
	}
}
