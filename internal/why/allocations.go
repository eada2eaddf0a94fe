package why

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
)

// bytesOfObject is how many bytes cost as much as one object: an allocation of 64 bytes costs twice one of a few.
const bytesOfObject = 64

// allocationCauses are the sites whose allocations changed. The group's change is divided by objects and bytes.
func (e *Evidence) allocationCauses() (causes []Cause, parts []float64) {
	var objects, bytes float64
	for _, s := range e.Sites {
		objects, bytes = objects+max(s.Objects[0], s.Objects[1]), bytes+max(s.Bytes[0], s.Bytes[1])
	}
	total := 0.0
	for _, s := range e.Sites {
		do, db := s.Objects[1]-s.Objects[0], s.Bytes[1]-s.Bytes[0]
		if math.Abs(do) < min(leastObjects, leastShareObjects*objects) && math.Abs(db) < leastBytes*bytes {
			continue
		}
		if math.Abs(do) < leastObjects && math.Abs(do) < leastShareObjects*objects && math.Abs(db) < leastBytes*bytes {
			continue
		}
		causes = append(causes, e.siteCause(s, do, db))
		parts = append(parts, do+db/bytesOfObject)
		total += do + db/bytesOfObject
	}
	for i := range parts {
		parts[i] /= total
	}
	if len(causes) == 0 || total == 0 {
		return nil, nil
	}
	return causes, parts
}

// siteCause says what a site allocates more.
func (e *Evidence) siteCause(s Site, objects, bytes float64) Cause {
	side := 1
	if objects < 0 || objects == 0 && bytes < 0 {
		side = 0 // what is gone was there
	}
	c := Cause{Kind: CauseAllocations, Func: s.Place[side].Func, Place: s.Place, Exact: true}
	if s.Owner != "" {
		c.Func = s.Owner
	}
	what := s.Type
	if what == "" {
		what = "an object"
	}
	switch note := e.escape(s); {
	case s.Growth && (s.Objects[0] > 0 || e.lessIn(s.Place[1].Func)), e.grows(s, side):
		c.Kind, c.What = CauseGrowth, fmt.Sprintf("%s grows more often in %s", what, short(c.Func))
	case note != nil:
		c.Kind, c.What = CauseEscape, fmt.Sprintf("%s is on the heap now, in %s", what, short(c.Func))
		if note.Side == 0 {
			c.What = fmt.Sprintf("%s is on the heap no more, in %s", what, short(c.Func))
		}
		c.Evidence = append(c.Evidence, note.Text)
	case math.Abs(objects) < leastObjects:
		c.Kind, c.What = CauseSize, fmt.Sprintf("larger %s in %s", what, short(c.Func))
	default:
		c.What = fmt.Sprintf("more %s in %s", what, short(c.Func))
	}
	if side == 0 && (c.Kind == CauseAllocations || c.Kind == CauseSize) {
		c.What = fmt.Sprintf("less of %s in %s", what, short(c.Func))
	}
	if s.Owner != "" {
		c.What += ", by " + short(s.Place[side].Func)
	}
	if objects != 0 {
		c.Evidence = append(c.Evidence, signed(objects)+" allocs/op")
	}
	if bytes != 0 {
		c.Evidence = append(c.Evidence, signed(bytes)+" B/op")
	}
	return c
}

// lessIn reports whether another site of a function allocates less: a slice that had room from the beginning.
func (e *Evidence) lessIn(fn string) bool {
	return slices.ContainsFunc(e.Sites, func(s Site) bool { return s.Place[0].Func == fn && s.Objects[1] < s.Objects[0] })
}

// grows reports whether a site's objects are those of a slice that grows: the runtime grows slices more, for this function.
func (e *Evidence) grows(s Site, side int) bool {
	if s.Growth || !strings.HasPrefix(s.Type, "[]") || e.Code[side] == nil {
		return false
	}
	const grow = "runtime.growslice"
	i := slices.IndexFunc(e.Functions, func(f Function) bool { return f.Symbol == grow })
	d := s.Objects[1] - s.Objects[0]
	return i >= 0 && slices.Contains(e.Code[side][s.Place[side].Func].Calls, grow) && (e.Functions[i].Instructions[1]-e.Functions[i].Instructions[0])*d > 0
}

// near reports whether two lines may be those of one statement: an allocation is at its first line, or its value's.
func near(a, b int) bool { return a-b <= 1 && b-a <= 1 }

// escape returns the compiler's note about a value of a site that is on the heap on one side alone.
func (e *Evidence) escape(s Site) *Note {
	for i := range e.Notes {
		n := &e.Notes[i]
		if p := s.Place[n.Side]; n.Kind == Escapes && path.Base(p.File) == path.Base(n.Place.File) && near(p.Line, n.Place.Line) {
			return n
		}
	}
	return nil
}
