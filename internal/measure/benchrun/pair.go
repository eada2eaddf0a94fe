package benchrun

import (
	"slices"

	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/record"
)

// pairUp excludes cases that cannot be compared: a benchmark that the base or all other sides lack, unless it looks
// renamed, and a side whose binary and environment are those of the base. Such cases are not measured. They are
// recorded, so that reports can list them. all are the cases of all sides, those that failed before their forks
// included.
func (f *Found) pairUp(all []*record.Case) {
	if len(f.sides) < 2 {
		return
	}
	exclude := func(c *record.Case) bool { return f.isAlone(c, all) || f.isTwin(c, all) }
	if f.Series == nil {
		f.pairRenamed(all)
	} else {
		exclude = func(c *record.Case) bool { return f.isMeasured(c, all) }
	}
	f.Cases = slices.DeleteFunc(f.Cases, func(c *record.Case) bool {
		if exclude(c) {
			f.notMeasured = append(f.notMeasured, c)
			return true
		}
		return false
	})
}

// isAlone reports whether there is nothing to compare a case with.
func (f *Found) isAlone(c *record.Case, all []*record.Case) bool {
	return !slices.ContainsFunc(all, func(x *record.Case) bool {
		return x.Side != c.Side && f.areCompared(x, c) && (f.isBase(x.Side) || f.isBase(c.Side))
	})
}

// isTwin reports whether the base runs the same binary with the same files in the same environment. Settings with
// secrets count as different, because the record cannot show that they are the same.
func (f *Found) isTwin(c *record.Case, all []*record.Case) bool {
	if f.isBase(c.Side) {
		return false
	}
	b := f.bins[c.Bin-1]
	if b.Program() == "" || redact.HasRedacted(redact.Pairs(b.side.Setenv)) {
		return false
	}
	return slices.ContainsFunc(all, func(x *record.Case) bool {
		base := f.bins[x.Bin-1]
		return f.isBase(x.Side) && sameBenchmark(x, c) && base.Program() == b.Program() && slices.Equal(base.side.Setenv, b.side.Setenv)
	})
}

// isMeasured reports whether an earlier side, or another run, has the same binary with the same files.
func (f *Found) isMeasured(c *record.Case, all []*record.Case) bool {
	if f.isBase(c.Side) {
		return false
	}
	b := f.bins[c.Bin-1]
	if b.Program() == "" {
		return false
	}
	if f.Series.Known != nil && f.Series.Known(&b.Bin) {
		return true
	}
	return slices.ContainsFunc(all, func(x *record.Case) bool {
		return x.Bin < c.Bin && x.Side != c.Side && sameBenchmark(x, c) && f.bins[x.Bin-1].Program() == b.Program()
	})
}

func sameBenchmark(a, b *record.Case) bool {
	return a.Pkg == b.Pkg && a.Name == b.Name && a.Procs == b.Procs
}
