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

// allocated is a site with what it allocates more.
type allocated struct {
	Site
	objects, bytes float64
	room           *Site // of the same type, that changed the other way: it makes room, or did
}

func (a *allocated) weight() float64 { return a.objects + a.bytes/bytesOfObject }

// allocationCauses are the sites whose allocations changed. The group's change is divided by objects and bytes.
func (e *Evidence) allocationCauses() (causes []Cause, parts []float64) {
	sites := pairRoom(e.moved())
	total := 0.0
	for i := range sites {
		total += sites[i].weight()
	}
	if total == 0 {
		return nil, nil
	}
	for i := range sites {
		causes = append(causes, e.siteCause(&sites[i]))
		parts = append(parts, sites[i].weight()/total)
	}
	return mergeSites(causes, parts)
}

// mergeSites joins causes of one kind about one type, the largest first: a slice that grows does so at many lines, and several lines of
// a function make objects of one type.
func mergeSites(causes []Cause, parts []float64) (out []Cause, merged []float64) {
	order := make([]int, len(causes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmpFloat(math.Abs(parts[j]), math.Abs(parts[i])) })
	others := map[int][]string{}
	for _, i := range order {
		c := causes[i]
		at := slices.IndexFunc(out, func(o Cause) bool {
			return o.Kind == c.Kind && o.typ == c.typ && (c.Kind == CauseGrowth || o.Func == c.Func && o.What == c.What)
		})
		if at < 0 {
			out, merged = append(out, c), append(merged, parts[i])
			continue
		}
		merged[at] += parts[i]
		out[at].objects += c.objects
		out[at].bytes += c.bytes
		if place := c.where(out[at].Func); !slices.Contains(others[at], place) {
			others[at] = append(others[at], place)
		}
	}
	for at := range out {
		out[at].addAmounts()
	}
	const most = 4
	for at, list := range others {
		text := strings.Join(list[:min(most, len(list))], ", ")
		if n := len(list) - most; n > 0 {
			text += fmt.Sprintf(" and %d more", n)
		}
		out[at].Evidence = append(out[at].Evidence, "there; and at "+text)
	}
	return out, merged
}

// addAmounts adds how much is allocated more.
func (c *Cause) addAmounts() {
	for _, x := range []struct {
		amount float64
		unit   string
	}{{c.objects, " allocs/op"}, {c.bytes, " B/op"}} {
		if x.amount != 0 {
			c.Evidence = append(c.Evidence, signed(x.amount)+x.unit)
		}
	}
}

// where names the place of a cause: its line, with the function if that is not fn.
func (c *Cause) where(fn string) string {
	p := c.Place[1]
	if p.Line == 0 {
		p = c.Place[0]
	}
	text := fmt.Sprintf("line %d", p.Line)
	if c.Func != fn {
		text += " of " + short(c.Func)
	}
	return text
}

// moved returns the sites whose allocations differ by more than they do between two runs of the same code.
func (e *Evidence) moved() (out []allocated) {
	var objects, bytes float64
	for _, s := range e.Sites {
		objects, bytes = objects+max(s.Objects[0], s.Objects[1]), bytes+max(s.Bytes[0], s.Bytes[1])
	}
	for _, s := range e.Sites {
		x := allocated{Site: s, objects: s.Objects[1] - s.Objects[0], bytes: s.Bytes[1] - s.Bytes[0]}
		if math.Abs(x.objects) >= min(leastObjects, leastShareObjects*objects) && x.objects != 0 || math.Abs(x.bytes) >= leastBytes*bytes && x.bytes != 0 {
			out = append(out, x)
		}
	}
	return out
}

// pairRoom joins a site whose allocations changed against the trend with the largest one of its type: a slice or a map that begins
// with less room is made smaller at one place, and grows at another.
func pairRoom(sites []allocated) []allocated {
	trend := 0.0
	for i := range sites {
		trend += sites[i].weight()
	}
	with := func(x *allocated) bool { return x.weight()*trend > 0 }
	slices.SortStableFunc(sites, func(a, b allocated) int { return cmpFloat(b.weight()*trend, a.weight()*trend) })
	var out []allocated
	for _, x := range sites {
		i := slices.IndexFunc(out, func(o allocated) bool { return sameSlices(o.Type, x.Type) && o.room == nil && with(&o) })
		if with(&x) || i < 0 {
			out = append(out, x)
			continue
		}
		out[i].room = &x.Site
		out[i].objects += x.objects
		out[i].bytes += x.bytes
	}
	return out
}

// sameSlices reports whether objects of two types may belong to one slice or map. The runtime does not report the element
// type of a slice that grows.
func sameSlices(a, b string) bool {
	const grown = "slice without pointers"
	return a == b && a != "" || a == grown && strings.HasPrefix(b, "[]") || b == grown && strings.HasPrefix(a, "[]")
}

// siteCause says what a site allocates more.
func (e *Evidence) siteCause(x *allocated) Cause {
	s, objects, bytes := x.Site, x.objects, x.bytes
	side := 1
	if x.weight() < 0 {
		side = 0 // what is gone was there
	}
	c := Cause{Kind: CauseAllocations, Func: s.Place[side].Func, Place: s.Place, Exact: true, typ: s.Type, objects: objects, bytes: bytes}
	if s.Owner != "" {
		c.Func = s.Owner
		if l := e.changedLine(s.Owner); l != nil {
			c.Place = l.Place
		}
	}
	in := short(c.Func)
	switch note := e.escape(s); {
	case x.room != nil, s.Growth && !isClone(s.Place[side].Func), e.grows(s, side):
		c.Kind, c.What = CauseGrowth, fmt.Sprintf("%s grows %s in %s", oneOf(s.Type), more(x.weight(), "more often", "less often"), in)
		if x.room != nil {
			c.Evidence = append(c.Evidence, fmt.Sprintf("%s gives it %s room", short(x.room.Place[1-side].Func), more(x.weight(), "less", "more")))
		}
	case note != nil:
		c.Kind, c.What = CauseEscape, fmt.Sprintf("%s is on the heap %s, in %s", oneOf(s.Type), []string{"no more", "now"}[note.Side], in)
		c.Evidence = append(c.Evidence, note.Text)
	case math.Abs(objects) < leastObjects:
		c.Kind, c.What = CauseSize, fmt.Sprintf("%s allocates %s %s", in, more(bytes, "larger", "smaller"), manyOf(s.Type))
	default:
		c.What = fmt.Sprintf("%s allocates %s %s", in, more(x.weight(), "more", "fewer"), manyOf(s.Type))
	}
	if s.Owner != "" {
		c.What += ", by " + short(s.Place[side].Func)
	}
	return c
}

// changedLine returns the line of a function that changed most, nil if none did.
func (e *Evidence) changedLine(symbol string) *Line {
	i := slices.IndexFunc(e.Functions, func(f Function) bool { return f.Symbol == symbol })
	if i < 0 {
		return nil
	}
	return e.Functions[i].mainLine()
}

// grows reports whether a site's objects are those of a slice or map that grows: the runtime grows them more, slices for this
// function.
func (e *Evidence) grows(s Site, side int) bool {
	const growSlice, growMap = "runtime.growslice", "internal/runtime/maps.(*table).grow"
	more := func(symbol string) bool {
		i := slices.IndexFunc(e.Functions, func(f Function) bool { return f.Symbol == symbol })
		return i >= 0 && (e.Functions[i].Instructions[1]-e.Functions[i].Instructions[0])*(s.Objects[1]-s.Objects[0]) > 0
	}
	switch {
	case strings.HasPrefix(s.Type, "[]") && !s.Growth:
		return more(growSlice) && slices.Contains(e.Code[side][s.Place[side].Func].Calls, growSlice)
	case s.Type == "map":
		return more(growMap)
	}
	return false
}

// isClone reports whether a function copies a slice into one that it lets grow.
func isClone(fn string) bool {
	return strings.HasSuffix(fn, ".Clone") || strings.HasSuffix(fn, ".Clone[...]")
}

// oneOf and manyOf name objects of a type that an allocation site has.
func oneOf(typ string) string {
	switch {
	case typ == "":
		return "an object"
	case typ == "map" || strings.HasPrefix(typ, "slice "):
		return "a " + typ
	}
	return typ
}

func manyOf(typ string) string {
	switch {
	case typ == "":
		return "objects"
	case typ == "map":
		return "maps"
	case strings.HasPrefix(typ, "slice "):
		return "slices " + strings.TrimPrefix(typ, "slice ")
	}
	return "objects of type " + typ
}

// near reports whether two lines may belong to one statement. An allocation is reported at the statement's first line or at
// that of the value.
func near(a, b int) bool { return a-b <= 1 && b-a <= 1 }

// escape returns the compiler's note about a value of a site that is on the heap on one side alone. Code that only that side has just
// allocates more.
func (e *Evidence) escape(s Site) *Note {
	at := func(p, note Place) bool {
		return note.File != "" && path.Base(p.File) == path.Base(note.File) && near(p.Line, note.Line)
	}
	for i := range e.Notes {
		if n := &e.Notes[i]; n.Kind == Escapes && !n.New && (at(s.Place[n.Side], n.Place) || at(s.Place[n.Side], n.Code)) {
			return n
		}
	}
	return nil
}
