package why

import (
	"encoding/json"
	"math"

	"github.com/tarebench/tare/stat"
)

// CauseKind is a kind of cause.
type CauseKind string

// The kinds of causes.
const (
	CauseSettings     CauseKind = "settings"           // another toolchain, flags, or environment
	CauseInlining     CauseKind = "inlining"           // lost or gained
	CauseEscape       CauseKind = "escape"             // a value is on the heap that was not, or the reverse
	CauseAllocations  CauseKind = "allocations"        // more or fewer objects of a line
	CauseSize         CauseKind = "allocation size"    // larger or smaller objects of a line
	CauseGrowth       CauseKind = "growth"             // of slices or maps
	CauseGC           CauseKind = "garbage collection" // without more allocations
	CauseCalls        CauseKind = "calls"              // a function is called more often
	CauseInstructions CauseKind = "instructions"       // a function executes more of them
	CauseBounds       CauseKind = "bounds checks"
	CauseSlower       CauseKind = "same instructions, slower" // layout, cache, contention
	CauseLayout       CauseKind = "code layout"
	CauseWait         CauseKind = "waiting"
	CauseRuntime      CauseKind = "runtime" // work of the runtime that no count above explains
)

// Basis is what shares are of.
type Basis string

// What shares can be of.
const (
	OfTime         Basis = "time"               // of the difference of the wall time
	OfInstructions Basis = "added instructions" // where times cannot tell
	OfNothing      Basis = ""                   // nothing was divided
)

// Answer is what made the difference.
type Answer struct {
	Basis  Basis    `json:"shares_of"`
	Causes []Cause  `json:"causes"`        // the largest share first
	Rest   Share    `json:"not_explained"` // that no cause explains
	Notes  []string `json:"notes,omitempty"`
}

// Cause is one of the things that made the difference.
type Cause struct {
	Kind     CauseKind `json:"kind"`
	Wait     WaitCause `json:"wait,omitempty"` // of CauseWait: what was waited for
	Func     string    `json:"func,omitempty"` // the function it is in
	Place    [2]Place  `json:"place"`
	What     string    `json:"what"`               // one line: what changed
	Evidence []string  `json:"evidence,omitempty"` // figures and messages, each in a few words
	Exact    bool      `json:"exact,omitempty"`    // rests on counts that do not vary
	Share    Share     `json:"share"`
	Joint    bool      `json:"joint,omitempty"` // the share is that of several causes of one group together
	Where    bool      `json:"where,omitempty"` // where the time is spent, and not why: no count supports it

	typ            string  // of the objects that are allocated
	objects, bytes float64 // that are allocated more
}

// Share is a part of the difference, 1 being all of it, with its 95 % interval. It is above 1 if something else made up for it. Value is
// NaN where it is not known: then it lies between Lo and Hi.
type Share struct{ Value, Lo, Hi float64 }

// MarshalJSON writes an object with value, lo and hi; null for what is not finite.
func (s Share) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Value stat.Number `json:"value"`
		Lo    stat.Number `json:"lo"`
		Hi    stat.Number `json:"hi"`
	}{stat.Number(s.Value), stat.Number(s.Lo), stat.Number(s.Hi)})
}

const z95 = 1.96

// shareOf returns a part of a whole, by the errors of both. The interval is that of Fieller's theorem to the first order.
func shareOf(part, whole Measure) Share {
	if whole.Value == 0 {
		return Share{math.NaN(), math.Inf(-1), math.Inf(1)}
	}
	v := part.Value / whole.Value
	err := math.Hypot(part.Err, v*whole.Err) / math.Abs(whole.Value)
	return Share{v, v - z95*err, v + z95*err}
}

// times returns a share of a part that is itself such a share.
func (s Share) times(part float64) Share { return Share{s.Value * part, s.Lo * part, s.Hi * part} }

// and returns the sum of shares whose errors are independent.
func (s Share) and(x Share) Share {
	err := math.Hypot(s.Hi-s.Lo, x.Hi-x.Lo) / 2
	v := s.Value + x.Value
	if math.IsNaN(v) {
		return Share{math.NaN(), s.Lo + min(0, x.Value), min(1, s.Hi+max(0, x.Value))}
	}
	return Share{v, v - err, v + err}
}

// rank orders causes: by their shares, and where a share is not known by the most that it can be.
func (c *Cause) rank() float64 {
	if math.IsNaN(c.Share.Value) {
		return c.Share.Hi
	}
	return c.Share.Value
}

// excludesZero reports whether a share is surely not 0.
func (s Share) excludesZero() bool { return s.Lo > 0 || s.Hi < 0 }
