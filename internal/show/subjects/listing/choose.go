package listing

import (
	"cmp"
	"path"
	"strings"

	"github.com/tarebench/tare/record"
)

// shown returns the regions that follow the lists, the hottest first: the functions that were selected, or the regions
// above the threshold. Without a selection the hottest region of the user's own code is always among them.
func (l *Listing) shown() []*region {
	var out []*region
	for _, r := range l.regions {
		if l.cfg.Func != nil && l.selected(r.fn) || l.cfg.Func == nil && (l.hot(r) || r == l.own) {
			out = append(out, r)
		}
	}
	return out
}

// ownHottest returns the hottest region with code of the user's own functions. Where there is none, it returns the
// hottest that is not of the runtime, and else the hottest of all. It returns nil if no region has code.
func (l *Listing) ownHottest() *region {
	var first, others *region
	for _, r := range l.regions {
		switch {
		case !r.fn.coded:
			continue
		case r.fn.rec.Area == record.AreaUser:
			return r
		case others == nil && !r.fn.ofRuntime():
			others = r
		case first == nil:
			first = r
		}
	}
	return cmp.Or(others, first)
}

// folded reports whether a shown region is printed as one line, without its code.
func (l *Listing) folded(r *region) bool {
	return l.cfg.Func == nil && !l.cfg.Runtime && r != l.own && r.fn.ofRuntime()
}

// ofRuntime reports whether a function belongs to the runtime, or to what runs benchmarks. The reader can seldom change
// either.
func (f *function) ofRuntime() bool {
	switch f.rec.Area {
	case record.AreaRuntime, record.AreaGC, record.AreaAllocator, record.AreaScheduler, record.AreaMaps, record.AreaTesting:
		return true
	case record.AreaAssembly:
		dir := path.Dir(f.rec.File)
		return strings.HasPrefix(f.rec.Name, "runtime.") || strings.HasPrefix(f.rec.Name, "internal/runtime/") ||
			dir == "runtime" || strings.HasSuffix(dir, "/src/runtime")
	}
	return false
}

// aroundHottest is how many instructions are printed of a region that is too big.
const aroundHottest = 61

// around returns at most so many instructions of a region: those around its hottest one. Samples and lines stay those
// of the whole region.
func (r *region) around(most int) *region {
	hottest := r.from
	for i := r.from; i < r.to; i++ {
		if more(r.fn.n(i), r.fn.n(hottest)) < 0 {
			hottest = i
		}
	}
	part := *r
	part.from = max(r.from, min(hottest-most/2, r.to-most))
	part.to = min(r.to, part.from+most)
	return &part
}
