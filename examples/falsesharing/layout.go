package main

// The case of the article: both sides read a word that is never written, and it lies in the cache line of the producer's index.
// In Java the word is the header of the queue's object, which the guard of an interface call reads. A Go object has no
// header. What a call through an interface reads here is the type word of the interface value, wherever that is stored:
// in these queues in a field of their own, as programs have fields of an interface type beside counters.

// shared has the interface value in the line of the producer's index. The indices are on separate cache lines, and from
// the address of the items.
type shared struct {
	_        line
	self     queue // never written after newShared
	producer index
	_        line
	consumer index
	_        line
	slots    slots
	_        line
}

func newShared() *shared {
	q := &shared{slots: make(slots, capacity)}
	q.self = q
	return q
}

// Offer is not inlined, so that a direct call differs from one through the interface in how it finds the method, and in
// nothing else.
//
//go:noinline
func (q *shared) Offer(item int) bool { return q.slots.offer(&q.producer, item) }

//go:noinline
func (q *shared) Poll() (int, bool) { return q.slots.poll(&q.consumer) }

// apart is the same with cache lines between the interface value and the producer's index.
type apart struct {
	_        line
	self     queue // never written after newApart
	_        line
	producer index
	_        line
	consumer index
	_        line
	slots    slots
	_        line
}

func newApart() *apart {
	q := &apart{slots: make(slots, capacity)}
	q.self = q
	return q
}

//go:noinline
func (q *apart) Offer(item int) bool { return q.slots.offer(&q.producer, item) }

//go:noinline
func (q *apart) Poll() (int, bool) { return q.slots.poll(&q.consumer) }

// The four ways to use them. All are used through an interface value of the goroutine's own, which is never written and
// which shares its line with nothing that others write: it costs all four the same.
type (
	sharedByInterface struct{ q *shared }
	sharedDirectly    struct{ q *shared }
	apartByInterface  struct{ q *apart }
	apartDirectly     struct{ q *apart }
)

func (u sharedByInterface) Offer(item int) bool { return u.q.self.Offer(item) }
func (u sharedByInterface) Poll() (int, bool)   { return u.q.self.Poll() }
func (u sharedDirectly) Offer(item int) bool    { return u.q.Offer(item) }
func (u sharedDirectly) Poll() (int, bool)      { return u.q.Poll() }
func (u apartByInterface) Offer(item int) bool  { return u.q.self.Offer(item) }
func (u apartByInterface) Poll() (int, bool)    { return u.q.self.Poll() }
func (u apartDirectly) Offer(item int) bool     { return u.q.Offer(item) }
func (u apartDirectly) Poll() (int, bool)       { return u.q.Poll() }
