package record

import "fmt"

// AttachAllocs is the name of a fork's attachment with its allocations by site: JSON of [Allocs].
const AttachAllocs = "allocs"

// AttachAllocsProfile is the name of the attachment with the same by call stack in pprof's format: a gzipped profile.proto.
const AttachAllocsProfile = "allocs.pb.gz"

// Allocs holds the objects that a fork allocated while the timer ran, counted one by one, by the line that allocated them.
// Objects and Bytes are the counts of package testing, from which allocs/op and B/op follow when they are divided by Ops.
// They are the sums of Sites, Rest and Unseen.
//
// With two windows each count is the difference of the larger and the smaller one: what a run allocates once, however many
// operations it has, is in neither. A difference may be negative.
type Allocs struct {
	Windows int   `json:"windows"` // 2, or 1 if there was no smaller one
	Ops     int64 `json:"ops"`     // operations of the window, or the difference of the two

	Objects int64       `json:"objects"`
	Bytes   int64       `json:"bytes"`
	Sites   []AllocSite `json:"sites"`  // largest share of objects or bytes first
	Rest    AllocCount  `json:"rest"`   // sites that are not listed
	Unseen  AllocCount  `json:"unseen"` // counted by package testing only; negative: by site only
}

// AllocCount is a number of objects, and the bytes of their slots. An object below 16 bytes without pointers that shares the
// slot of another one has no bytes.
type AllocCount struct {
	Objects int64 `json:"objects"`
	Bytes   int64 `json:"bytes"`
}

// AllocSite is a line of source that allocated objects of one type and size.
type AllocSite struct {
	Func string   `json:"func,omitempty"` // with the path of its package
	File string   `json:"file,omitempty"` // as the compiler knew it
	Line int      `json:"line,omitempty"`
	Type string   `json:"type,omitempty"` // as reflect writes it, of a slice the whole, of parts of maps "map"; "": not known
	Size int64    `json:"size"`           // bytes of the slot of an object; 0: it shared the slot of another one
	Path []string `json:"path,omitempty"` // call path of most of the objects: the caller, its caller, …

	AllocCount
}

// Validate returns an error for counts that no fork can have.
func (a *Allocs) Validate() error {
	const most = 1 << 60
	sum := AllocCount{a.Rest.Objects + a.Unseen.Objects, a.Rest.Bytes + a.Unseen.Bytes}
	for i := range a.Sites {
		s := &a.Sites[i]
		if s.Size < 0 || max(s.Objects, s.Bytes, -s.Objects, -s.Bytes) > most/1000 {
			return fmt.Errorf("%q allocated %d objects of %d bytes", s.Func, s.Objects, s.Size)
		}
		sum.Objects, sum.Bytes = sum.Objects+s.Objects, sum.Bytes+s.Bytes
	}
	switch {
	case a.Ops < 1 || a.Windows < 1 || a.Windows > 2:
		return fmt.Errorf("%d operations in %d windows", a.Ops, a.Windows)
	case len(a.Sites) > 1000:
		return fmt.Errorf("it lists %d sites", len(a.Sites))
	case sum.Objects != a.Objects || sum.Bytes != a.Bytes:
		return fmt.Errorf("%d objects of %d bytes are the sum of parts with %d objects of %d bytes", a.Objects, a.Bytes, sum.Objects, sum.Bytes)
	}
	return nil
}
