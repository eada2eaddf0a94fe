// Package topk finds the largest scores of a stream with a binary heap.
package topk

// A Score belongs to a player.
type Score struct {
	Points int
	Player uint32
}

// A Heap holds the largest scores that were offered.
type Heap struct {
	scores []Score // the smallest is first
	limit  int
}

// New returns a heap that keeps limit scores, which must be positive.
func New(limit int) *Heap { return &Heap{scores: make([]Score, 0, limit), limit: limit} }

// Reset empties the heap.
func (h *Heap) Reset() { h.scores = h.scores[:0] }

// Offer adds a score if it is among the largest.
func (h *Heap) Offer(s Score) {
	if len(h.scores) < h.limit {
		h.scores = append(h.scores, s)
		h.up(len(h.scores) - 1)
		return
	}
	if less(h.scores[0], s) {
		h.scores[0] = s
		h.down(0)
	}
}

// Smallest returns the smallest score that is kept, the zero Score if there is none.
func (h *Heap) Smallest() Score {
	if len(h.scores) == 0 {
		return Score{}
	}
	return h.scores[0]
}

// less orders scores by points, and those of equal points by player.
func less(a, b Score) bool {
	if a.Points != b.Points {
		return a.Points < b.Points
	}
	return a.Player > b.Player
}

func (h *Heap) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !less(h.scores[i], h.scores[parent]) {
			return
		}
		h.scores[i], h.scores[parent] = h.scores[parent], h.scores[i]
		i = parent
	}
}

//go:noinline
func (h *Heap) down(i int) {
	s := h.scores
	for {
		child := 2*i + 1
		if child >= len(s) {
			return
		}
		if right := child + 1; right < len(s) && less(s[right], s[child]) {
			child = right
		}
		if !less(s[child], s[i]) {
			return
		}
		s[i], s[child] = s[child], s[i]
		i = child
	}
}
