package queue

import "sync/atomic"

// fillBatch is how many elements Fill collects before it adds them, in the queues with
// many producers.
const fillBatch = 32

// A sharedTail is the producers' index of a bounded queue with many producers, and the
// number of slots that calls of Fill have reserved behind it. Both change by one atomic
// operation, so that no producer can claim a slot that is reserved.
//
// A reservation is of a number of slots, not of certain ones: the slots are claimed
// when their elements are there. So a callback that takes long or panics leaves no
// slot for which consumers wait.
type sharedTail struct{ word atomic.Uint64 }

// A tailWord has the position in the upper 48 bits, which overflow, and the number of
// reserved slots in the lower 16.
type tailWord uint64

const (
	reservedBits = 16
	oneClaimed   = 1 << reservedBits // a tailWord in which the position is one further
	oneReserved  = 1
	maxReserved  = 1<<reservedBits - 1
)

func newTailWord(position uint64) tailWord { return tailWord(position << reservedBits) }

// near returns the position whose lower 48 bits are those of low, given one that is less
// than 1<<47 from it.
func near(low, other uint64) uint64 {
	return other + uint64(int64((low-other)<<reservedBits)>>reservedBits)
}

// position returns the position, given one that is less than 1<<47 from it.
func (w tailWord) position(other uint64) uint64 { return near(uint64(w>>reservedBits), other) }

// end returns the lower 48 bits of the first position that is neither claimed nor reserved.
func (w tailWord) end() uint64 { return uint64(w>>reservedBits) + w.reserved() }

// reserved returns the number of reserved slots.
func (w tailWord) reserved() uint64 { return uint64(w & maxReserved) }

func (t *sharedTail) init(position uint64) { t.word.Store(uint64(newTailWord(position))) }

func (t *sharedTail) load() tailWord { return tailWord(t.word.Load()) }

// position returns the position, given one that is less than 1<<47 from it.
func (t *sharedTail) position(other uint64) uint64 { return t.load().position(other) }

// add claims or reserves n slots. It fails if the word has changed since it was read.
func (t *sharedTail) add(w tailWord, n, unit uint64) bool {
	return t.word.CompareAndSwap(uint64(w), uint64(w)+n*unit)
}

// limitAdd returns how many of n slots can be added: a word cannot count more than
// maxReserved as reserved.
func (w tailWord) limitAdd(n, unit uint64) uint64 {
	if unit == oneReserved {
		return min(n, maxReserved-w.reserved())
	}
	return n
}

// redeem claims n slots out of a number that were reserved and cancels the reservation of
// the others. It returns the word before, whose position is the first that was claimed.
func (t *sharedTail) redeem(n, reserved int) tailWord {
	change := uint64(n)*oneClaimed - uint64(reserved)*oneReserved
	return tailWord(t.word.Add(change) - change)
}
