package pace

import (
	"math"
	"sync"

	"github.com/tarebench/tare/internal/cacheline"
)

// Numbers hands out the operations of a share in ascending order, without due times, for
// closed loops. All methods are safe for concurrent use and allocate nothing.
type Numbers struct {
	_    cacheline.Line
	mu   sync.Mutex
	mine *Share
	next uint64 // operations below it are handed out, or belong to others
	ops  uint64
	_    cacheline.Line
}

// NewNumbers returns the share's operations below ops; 0 means no bound.
func NewNumbers(mine *Share, ops uint64) *Numbers {
	n := &Numbers{mine: mine, ops: ops}
	if ops == 0 {
		n.ops = math.MaxUint64
	}
	mine.add(&n.mu, &n.next)
	return n
}

// Claim takes the next n operations, or the rest of them: those of the share from k, which is
// one, up to end. At the end k equals end.
func (n *Numbers) Claim(most uint64) (k, end uint64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	k, ok := n.mine.Next(n.next)
	if !ok || k >= n.ops {
		n.next = n.ops // none is left: a worker may have ended for that
		return n.ops, n.ops
	}
	end = k + 1
	for ; most > 1; most-- {
		next, ok := n.mine.Next(end)
		if !ok || next >= n.ops {
			break
		}
		end = next + 1
	}
	n.next = end
	return k, end
}

// Claimed returns how many operations were taken.
func (n *Numbers) Claimed() uint64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.mine.Count(n.next)
}
