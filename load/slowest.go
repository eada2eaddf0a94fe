package load

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/tarebench/tare/record"
)

const (
	mostSlowest = 1000 // the limit of Config.Slowest
	keptKey     = 4096 // bytes of a key or path that are kept until its secrets are redacted …
	shownKey    = 256  // … and bytes of it that are listed
)

// A Describer is a [Worker] that says what an operation was about, for [Config.Slowest].
type Describer interface {
	// AppendOperation appends to b the key or the path of the operation that was prepared last, or
	// the like, without secrets that only the worker knows. part is the kind of the part that
	// took longest, -1 if the operation has no parts; see [Timer.Sub] and [Timer.Part]. The goroutine
	// of the worker calls it after Done.
	AppendOperation(b []byte, part int) []byte
}

// part is the part of an operation that took longest; none if its time is 0.
type part struct {
	kind int
	ns   int64
}

func (p *part) see(kind int, ns int64) {
	if ns > p.ns {
		p.kind, p.ns = kind, ns
	}
}

// slowest holds the operations of a shard that took longest. It allocates while it fills, and
// whenever a key is longer than the one that it replaces.
type slowest struct {
	least atomic.Int64 // ns: an operation is listed only if it took longer

	mu      sync.Mutex
	most    int
	held    []slowOperation
	weakest int // index of the one that took least, if all places are taken; else of the last one
}

type slowOperation struct {
	took                    int64 // ns, without pauses
	k                       uint64
	kind                    int
	due, start, end, paused int64
	part                    part
	class, status           string
	unanswered              bool
	key                     []byte
}

// keep sets how many operations are held.
func (s *slowest) keep(n int) {
	s.most = n
	s.least.Store(-1)
	if n == 0 {
		s.least.Store(math.MaxInt64)
	}
}

// keepIfSlow lists the operation that has ended if few took longer. end is without its pauses.
func (w *worker) keepIfSlow(start, end int64, err error, unanswered bool) {
	if took := end - w.due; took > w.shard.slow.least.Load() {
		w.keepSlow(took, start, end, err, unanswered)
	}
}

func (w *worker) keepSlow(took, start, end int64, err error, unanswered bool) {
	s := &w.shard.slow
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.place(took)
	if o == nil {
		return
	}
	*o = slowOperation{
		took: took, k: w.k, kind: w.kind, due: w.due, start: start, end: end + w.paused, paused: w.paused,
		part: w.part, unanswered: unanswered, key: o.key[:0],
	}
	if err != nil && !unanswered {
		o.class, o.status = Class(err), Status(err)
	}
	if w.describer != nil {
		kind := -1
		if o.part.ns > 0 {
			kind = o.part.kind
		}
		o.key = w.describer.AppendOperation(o.key, kind)
		if len(o.key) > keptKey {
			o.key = append([]byte(nil), o.key[:keptKey]...)
		}
	}
	s.placed()
}

// place returns where to put an operation: a new place, or that of the one that took least; nil
// if that took as long. placed must follow.
func (s *slowest) place(took int64) *slowOperation {
	if len(s.held) < s.most {
		s.held = append(s.held, slowOperation{})
		s.weakest = len(s.held) - 1
	} else if took <= s.least.Load() {
		return nil
	}
	return &s.held[s.weakest]
}

// placed finds the one that took least, once there is no new place.
func (s *slowest) placed() {
	if len(s.held) < s.most {
		return
	}
	for i := range s.held {
		if s.held[i].took < s.held[s.weakest].took {
			s.weakest = i
		}
	}
	s.least.Store(s.held[s.weakest].took)
}

// slowest returns the operations of all shards that took longest, the longest first. It leaves out
// a shard that a worker holds which does not return.
func (e *engine) slowest() []record.SlowOperation {
	var all []slowOperation
	for _, l := range e.shards {
		if l.slow.mu.TryLock() {
			for _, o := range l.slow.held {
				o.key = append([]byte(nil), o.key...)
				all = append(all, o)
			}
			l.slow.mu.Unlock()
		}
	}
	slices.SortFunc(all, func(a, b slowOperation) int {
		return cmp.Or(cmp.Compare(b.took, a.took), cmp.Compare(a.k, b.k))
	})
	var out []record.SlowOperation
	for i := range all[:min(len(all), e.config.Slowest)] {
		out = append(out, e.slowLine(&all[i]))
	}
	return out
}

// slowLine returns an operation as the record has it.
func (e *engine) slowLine(o *slowOperation) record.SlowOperation {
	out := record.SlowOperation{
		Name: e.kindName(o.kind), K: o.k, Due: o.due - e.start, Start: o.start - e.start, End: o.end - e.start, Paused: o.paused,
		Unanswered: o.unanswered, Key: shown(o.key), Class: o.class, Status: o.status,
	}
	if o.part.ns > 0 {
		out.Part, out.PartTime = e.kindName(o.part.kind), o.part.ns
	}
	return out
}

// kindName returns the name of a kind, "" if the target has no such kind.
func (e *engine) kindName(kind int) string {
	if kind < 0 || kind >= len(e.kinds) {
		return ""
	}
	return e.kinds[kind]
}

// shown returns a key without secrets, shortened at its end.
func shown(key []byte) string {
	text := Redact("", strings.ToValidUTF8(string(key), "\uFFFD"))
	if len(text) <= shownKey {
		return text
	}
	end := shownKey
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
