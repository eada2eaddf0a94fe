package alloc

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/profile/alloctype"
	"github.com/tarebench/tare/record"
)

const (
	maxSites = 100 // listed individually
	maxPath  = 8   // listed callers of a site
)

// key distinguishes sites.
type key struct {
	frame
	typ  string
	size int64
}

// site is the objects of a key.
type site struct {
	key
	record.AllocCount
	path        []string // of the stack with the most objects
	pathObjects int64    // of that stack
}

// sites adds up the stacks by site.
func (c *counts) sites() map[key]*site {
	out := map[key]*site{}
	for i := range c.Stacks {
		s := &c.Stacks[i]
		at, via := c.siteOf(s)
		k := key{typ: alloctype.Name(via, s.Type), size: s.Size}
		if at < len(s.Frames) {
			k.frame = c.Frames[s.Frames[at]]
		}
		x := out[k]
		if x == nil {
			x = &site{key: k}
			out[k] = x
		}
		x.Objects += s.Objects
		x.Bytes += s.Objects * s.Size
		if s.Objects > x.pathObjects {
			x.pathObjects, x.path = s.Objects, c.path(s, at+1)
		}
	}
	return out
}

// siteOf returns the index of the site in the frames of a stack, and the function of the runtime that it called. If all
// functions belong to the runtime, the site is the innermost one that does not only allocate.
func (c *counts) siteOf(s *stack) (at int, via string) {
	own := len(s.Frames)
	for i, f := range s.Frames {
		name := c.Frames[f].Func
		if !alloctype.OfRuntime(name) {
			return i, via
		}
		if via = name; own == len(s.Frames) && !alloctype.OnlyAllocates(name) {
			own = i
		}
	}
	return own, ""
}

// path returns the functions of a stack from an index on, up to the one that package testing calls.
func (c *counts) path(s *stack, from int) (out []string) {
	for _, f := range s.Frames[min(from, len(s.Frames)):] {
		name := c.Frames[f].Func
		if len(out) == maxPath || strings.HasPrefix(name, "testing.(*B).") || name == "runtime.goexit" {
			break
		}
		out = append(out, name)
	}
	return out
}

// allocs returns what the operations of hi allocated. With lo, not nil, it is what hi allocated and lo did not, in ops
// operations more.
func allocs(hi, lo *counts, ops int64) *record.Allocs {
	out := &record.Allocs{Windows: 1, Ops: ops, Objects: hi.Objects, Bytes: hi.Bytes, Sites: []record.AllocSite{}, Unseen: hi.unseen()}
	sites := hi.sites()
	if lo != nil {
		out.Windows = 2
		out.Objects, out.Bytes = out.Objects-lo.Objects, out.Bytes-lo.Bytes
		u := lo.unseen()
		out.Unseen.Objects, out.Unseen.Bytes = out.Unseen.Objects-u.Objects, out.Unseen.Bytes-u.Bytes
		subtract(sites, lo.sites())
	}
	all := slices.Collect(maps.Values(sites))
	sortSites(all, out)
	for _, s := range all {
		switch {
		case s.Objects == 0:
		case len(out.Sites) < maxSites:
			out.Sites = append(out.Sites, s.record())
		default:
			out.Rest.Objects += s.Objects
			out.Rest.Bytes += s.Bytes
		}
	}
	return out
}

func subtract(from, what map[key]*site) {
	for k, s := range what {
		x := from[k]
		if x == nil {
			x = &site{key: k, path: s.path}
			from[k] = x
		}
		x.Objects -= s.Objects
		x.Bytes -= s.Bytes
	}
}

// sortSites sorts sites by their share of the objects or the bytes, whichever is larger.
func sortSites(all []*site, of *record.Allocs) {
	share := func(s *site) float64 {
		return max(part(s.Objects, of.Objects), part(s.Bytes, of.Bytes))
	}
	slices.SortFunc(all, func(a, b *site) int {
		return cmp.Or(cmp.Compare(share(b), share(a)), cmp.Compare(a.Func, b.Func), cmp.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line), cmp.Compare(a.typ, b.typ), cmp.Compare(a.size, b.size))
	})
}

// part returns the absolute value of x as a share of all.
func part(x, all int64) float64 { return float64(max(x, -x)) / float64(max(all, -all, 1)) }

func (s *site) record() record.AllocSite {
	return record.AllocSite{
		Func: s.Func, File: s.File, Line: s.Line, Type: s.typ, Size: s.size, Path: s.path, AllocCount: s.AllocCount,
	}
}
