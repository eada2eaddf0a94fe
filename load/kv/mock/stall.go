package mock

import (
	"sync"
	"time"

	"github.com/tarebench/tare/load/kv"
)

// periodic are stalls of one length, in which nothing is served: the first one begins a period after the epoch. A nil
// *periodic has none.
type periodic struct {
	epoch         int64 // CLOCK_MONOTONIC ns
	every, length int64 // ns; length is less
}

// after returns when work that begins at a time ends. It does not proceed during stalls.
func (p *periodic) after(start int64, work time.Duration) int64 {
	if p == nil || start < p.epoch {
		return start + int64(work)
	}
	t := start - p.epoch
	n := t / p.every // stalls that have begun
	if n > 0 {
		t = max(t, n*p.every+p.length)
	}
	left := (n+1)*p.every - t // before the next
	w := int64(work)
	if w <= left {
		return p.epoch + t + w
	}
	w -= left
	each := p.every - p.length // of work in a period
	n += 1 + (w-1)/each
	return p.epoch + n*p.every + p.length + (w-1)%each + 1
}

// between returns the stalls that overlap a stretch of time.
func (p *periodic) between(from, to int64) (out []kv.Stall) {
	if p == nil {
		return nil
	}
	for n := max((from-p.epoch-p.length)/p.every, 1); ; n++ {
		start := p.epoch + n*p.every
		if start >= to {
			return out
		}
		if start+p.length > from {
			out = append(out, kv.Stall{Start: start, Length: p.length})
		}
	}
}

// maxStalls bounds the memory of stalls that are noted.
const maxStalls = 100_000

// noted are stalls that happened.
type noted struct {
	mu  sync.Mutex
	all []kv.Stall
}

func (n *noted) add(start, end int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.all) < maxStalls {
		n.all = append(n.all, kv.Stall{Start: start, Length: end - start})
	}
}

func (n *noted) between(from, to int64) (out []kv.Stall) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, s := range n.all {
		if s.Start < to && s.Start+s.Length > from {
			out = append(out, s)
		}
	}
	return out
}
