package hist

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tarebench/tare/internal/base/cacheline"
)

// A phaser lets one writer use one of two halves while a reader uses the other. The
// writer never waits.
//
// It is HdrHistogram's WriterReaderPhaser (WriterReaderPhaser.java) for a single
// writer. There, epochs of two phases count the writers that entered and left; here
// one number counts the entries of the writer, and its lowest bit selects the half.
// Both are in one word, so that a writer that enters while a reader flips has either
// been counted or uses the other half. The writer leaves by storing the number with
// which it entered, so that the reader knows what to wait for.
type phaser struct {
	_       cacheline.Line
	entered atomic.Uint64 // 2 × entries + half
	left    atomic.Uint64 // entries that have ended
	_       cacheline.Line
	mu      sync.Mutex // held by the reader until it has finished with its half
}

// enter begins the writer's use of a half, which the lowest bit of the result
// selects. It must be followed by leave.
func (p *phaser) enter() uint64 { return p.entered.Add(2) }

// leave ends the use that began when enter returned e.
func (p *phaser) leave(e uint64) { p.left.Store(e >> 1) }

// flip sends the writer to the other half and returns the previous half, once the
// writer has left it. The caller holds mu until it has finished with that half.
func (p *phaser) flip() (was uint64) {
	var before uint64
	if was = p.entered.Load() & 1; was == 0 {
		before = p.entered.Or(1)
	} else {
		before = p.entered.And(^uint64(1))
	}
	for i := 0; p.left.Load() < before>>1; i++ {
		// The writer leaves within a few nanoseconds, or has been preempted and
		// leaves when the scheduler runs it again.
		if i < 100 {
			runtime.Gosched()
		} else {
			time.Sleep(20 * time.Microsecond)
		}
	}
	return was
}
