package pace

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
)

// maxSlots is the limit of the length of a pattern.
const maxSlots = 1 << 16

// ErrTooLate is returned by Reassign for operations that may have been decided.
var ErrTooLate = errors.New("decided already")

// A Share is the part of the operations that one of several owners sends. Operation k
// belongs to owners[k mod len(owners)].
//
// Readers are the schedules of Config.Mine and Claim. An operation is decided once a
// reader has passed it, whether it was handed out or not. All methods are safe for
// concurrent use.
//
// A reader only examines the sections while it holds its own lock, and Reassign holds those
// of all readers. So a claim needs no second lock, and what was decided does not change.
type Share struct {
	me       int
	sections atomic.Pointer[[]section] // ascending, never empty; the list is never changed, only replaced

	mu      sync.Mutex
	readers []position
	begun   bool

	closed struct { // what Claim took
		mu   sync.Mutex
		next uint64
	}
}

var _ Part = (*Share)(nil)

// position is where a reader is: operations below *next are decided.
type position struct {
	mu   *sync.Mutex
	next *uint64
}

// A section is the operations of one pattern, from one on.
type section struct {
	from  uint64
	base  uint64   // the share's operations below from, less those below it if the pattern held from 0; wraps around
	slots []uint32 // of the pattern, that belong to the share; ascending
	rank  []uint32 // for each slot of the pattern: how many of slots are below it
}

// NewShare returns the operations of owner me. It may own none. The pattern has 1 to
// 65,536 owners, none of them negative.
func NewShare(owners []int, me int) (*Share, error) {
	if me < 0 {
		return nil, fmt.Errorf("owner %d: must not be negative", me)
	}
	first, err := newSection(owners, me)
	if err != nil {
		return nil, err
	}
	s := &Share{me: me}
	s.sections.Store(&[]section{first})
	s.add(&s.closed.mu, &s.closed.next)
	return s, nil
}

func newSection(owners []int, me int) (section, error) {
	switch {
	case len(owners) == 0:
		return section{}, errors.New("the pattern of owners is empty")
	case len(owners) > maxSlots:
		return section{}, fmt.Errorf("a pattern of %d owners: at most %d are possible", len(owners), maxSlots)
	}
	c := section{rank: make([]uint32, len(owners))}
	for i, owner := range owners {
		if owner < 0 {
			return section{}, fmt.Errorf("owner %d in the pattern: must not be negative", owner)
		}
		c.rank[i] = uint32(len(c.slots))
		if owner == me {
			c.slots = append(c.slots, uint32(i))
		}
	}
	return c, nil
}

// Reassign gives the operations from a number on other owners. The error wraps ErrTooLate
// if one of them may have been decided. Numbers of later calls are not lower.
func (s *Share) Reassign(from uint64, owners []int) error {
	next, err := newSection(owners, s.me)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	old := *s.sections.Load()
	if last := old[len(old)-1].from; from < last {
		return fmt.Errorf("operations from %d on have been reassigned: those from %d on cannot be", last, from)
	}
	// The first readers hand out operations: they are locked last, for the shortest time.
	for _, r := range slices.Backward(s.readers) {
		r.mu.Lock()
		defer r.mu.Unlock()
	}
	if decided := s.decided(); from < decided {
		return fmt.Errorf("operations from %d on: those below %d are %w", from, decided, ErrTooLate)
	}
	next.from = from
	next.base = old[len(old)-1].count(from) - next.count(from)
	all := append(slices.Clone(old), next)
	s.sections.Store(&all)
	return nil
}

// decided is Decided for the holder of all locks.
func (s *Share) decided() (most uint64) {
	for _, r := range s.readers {
		most = max(most, *r.next)
	}
	return most
}

// Decided returns a number below which all operations are decided. No higher one is.
func (s *Share) Decided() (most uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.readers {
		r.mu.Lock()
		most = max(most, *r.next)
		r.mu.Unlock()
	}
	return most
}

// Begin implements [Part].
func (s *Share) Begin() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.begun {
		return errors.New("share: another phase has used it; each phase needs its own")
	}
	s.begun = true
	return nil
}

func (s *Share) follow(c *Schedule) { s.add(&c.mu, &c.next) }

// add adds a reader.
func (s *Share) add(mu *sync.Mutex, next *uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readers = append(s.readers, position{mu, next})
}

// Count returns how many of the operations below k are the share's.
func (s *Share) Count(k uint64) uint64 {
	all := *s.sections.Load()
	return all[sectionOf(all, k)].count(k)
}

// Weight returns which part of all operations around k is the share's, from 0 to 1, as the pattern
// has it.
func (s *Share) Weight(k uint64) float64 {
	all := *s.sections.Load()
	return all[sectionOf(all, k)].weight()
}

// MeanWeight implements [Part].
func (s *Share) MeanWeight(n uint64) float64 {
	all := *s.sections.Load()
	mine, of := 0.0, 0.0
	for i := range all {
		c := &all[i]
		if i+1 == len(all) || c.count(all[i+1].from) > n { // the n-th is in it
			if left := float64(n - c.count(c.from)); c.weight() > 0 {
				mine, of = mine+left, of+left/c.weight()
			}
			if of == 0 {
				return c.weight()
			}
			break
		}
		passed := float64(all[i+1].from - c.from)
		mine, of = mine+passed*c.weight(), of+passed
	}
	return mine / of
}

// Next implements [Part].
func (s *Share) Next(k uint64) uint64 {
	if mine, ok := s.find(k); ok {
		return mine
	}
	return math.MaxUint64
}

// find returns the share's first operation from k on, or false if there is none.
func (s *Share) find(k uint64) (mine uint64, ok bool) {
	all := *s.sections.Load()
	for i := sectionOf(all, k); i < len(all); i++ {
		mine, ok := all[i].next(max(k, all[i].from))
		if ok && (i+1 == len(all) || mine < all[i+1].from) {
			return mine, true
		}
	}
	return 0, false
}

// sectionOf returns the index of the section of operation k.
func sectionOf(all []section, k uint64) int {
	if len(all) == 1 {
		return 0
	}
	return sort.Search(len(all), func(i int) bool { return all[i].from > k }) - 1
}

func (c *section) weight() float64 { return float64(len(c.slots)) / float64(len(c.rank)) }

// count returns the share's operations below k, which is in the section or at its end.
func (c *section) count(k uint64) uint64 {
	n := uint64(len(c.rank))
	return c.base + k/n*uint64(len(c.slots)) + uint64(c.rank[k%n])
}

// next returns the first operation from k on that the pattern gives to the share.
func (c *section) next(k uint64) (mine uint64, ok bool) {
	if len(c.slots) == 0 {
		return 0, false
	}
	n := uint64(len(c.rank))
	slot := k % n
	if i := c.rank[slot]; int(i) < len(c.slots) {
		mine = k - slot + uint64(c.slots[i])
	} else {
		mine = k - slot + n + uint64(c.slots[0])
	}
	return mine, mine >= k // it wraps around at the end of 64 bits
}
