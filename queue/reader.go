package queue

import (
	"sync/atomic"

	"github.com/tarebench/tare/internal/cacheline"
)

// A reader is the consumer's side of a queue with many producers. It publishes its
// index only now and then, as the consumer of a chain does.
type reader struct {
	role
	head   uint64 // the next position
	limit  uint64 // positions before this one are known to be filled
	told   uint64 // what taken says
	lazy   uint64 // how many elements may be taken before taken is to say so
	clears bool
	_      cacheline.Line
	taken  atomic.Uint64
}

func (r *reader) init(lazy, origin uint64, clears bool) {
	r.head, r.limit, r.told, r.lazy, r.clears = origin, origin, origin, lazy, clears
	r.taken.Store(origin)
}

// account publishes the index if enough elements were taken.
func (r *reader) account() {
	if r.head-r.told >= r.lazy {
		r.settle()
	}
}

// settle publishes the index.
func (r *reader) settle() {
	if r.told != r.head {
		r.told = r.head
		r.taken.Store(r.head)
	}
}

// release is settle for those who hold no role.
func (r *reader) release() {
	r.enter("consumer")
	r.settle()
	r.leave()
}
