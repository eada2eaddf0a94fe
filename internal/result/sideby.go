package result

import (
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
)

// SideBy compares benchmarks that differ only in the value of a key in their names, such as impl in /impl=a. Each value is
// a side, and the first in the record is the base. It must be called before lines are added, and has no effect on a record
// that has sides already.
func (b *Builder) SideBy(key string) { b.by = strings.TrimPrefix(key, "/") }

// WholeNames compares benchmarks by their whole names, also where a record asks for the values of a key (see
// [Builder.SideBy]). It is for comparisons of several records, and must be called before lines are added.
func (b *Builder) WholeNames() { b.wholeNames = true }

// ComparedBy returns the key by whose values benchmarks are compared, "" if they are not.
func (b *Builder) ComparedBy() string { return b.by }

// addRun takes the head of the record.
func (b *Builder) addRun(l *record.Run) {
	run := *l
	run.Sides = slices.Clone(l.Sides)
	switch b.run = &run; {
	case len(run.Sides) > 0:
		b.by = ""
	case b.by == "" && !b.wholeNames:
		b.by = run.Config.SideBy
	}
	run.Config.SideBy = b.by
	b.selftest.addRun(l)
}

// valueAsSide makes the value of the key in a benchmark's name its side.
func (b *Builder) valueAsSide(c *caseData) {
	if b.by == "" || b.run == nil || c.line.Side != "" {
		return
	}
	name, value, ok := record.CutParam(c.line.Name, b.by)
	if !ok {
		return
	}
	c.whole = c.line.Name
	c.line.Name, c.line.Side, c.line.Params = name, value, record.ParseName(name)
	if !slices.Contains(b.sides(), value) {
		b.run.Sides = append(b.run.Sides, record.Side{Name: value})
	}
}

// withoutKey returns a warning about benchmarks whose names do not have the key.
func (b *Builder) withoutKey(s *Result) []Warning {
	var names []string
	for _, c := range b.cases {
		if b.by != "" && c.line.Side == "" {
			names = append(names, s.NameOf(c.line.Pkg, c.line.Name, c.line.Procs))
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []Warning{WarningOf(diagnosis.WarnForm(diagnosis.OneSide, "key", diagnosis.Facts{"key": b.by, "names": units.List(names, mostNames)}))}
}

// sideOfBin returns the side whose binaries a side's benchmarks are in.
func (b *Builder) sideOfBin(side string) string {
	if b.by != "" {
		return ""
	}
	return side
}
