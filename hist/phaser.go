package hist

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tarebench/tare/internal/cacheline"
)

// A phaser has one writer work on one of two things and hands the other to a
// reader, without ever making the writer wait.
//
// It is HdrHistogram's WriterReaderPhaser (WriterReaderPhaser.java) for a single
// writer. There, epochs of two phases count the writers that came and went; here
// one number says how often the writer entered, and its lowest bit which thing it
// is to use. Since both are in one word, a writer that enters while a reader
// flips has either been counted or sees the other thing; and since it leaves by
// storing the number it entered with, the reader knows what to wait for.
type phaser struct {
	_       cacheline.Line
	entered atomic.Uint64 // 2 × entries + which thing
	left    atomic.Uint64 // entries that were left
	_       cacheline.Line
	mu      sync.Mutex // held by the reader until it is done with its thing
}

// enter begins the writer's work, on the thing given by the lowest bit of the
// result. It must be followed by leave.
func (p *phaser) enter() uint64 { return p.entered.Add(2) }

// leave ends the work that began when enter returned e.
func (p *phaser) leave(e uint64) { p.left.Store(e >> 1) }

// flip sends the writer to the other thing and returns the one that it used so
// far, once it has left it. The caller holds mu until it is done with that.
func (p *phaser) flip() (was uint64) {
	var before uint64
	if was = p.entered.Load() & 1; was == 0 {
		before = p.entered.Or(1)
	} else {
		before = p.entered.And(^uint64(1))
	}
	for i := 0; p.left.Load() < before>>1; i++ {
		// The writer is within a few nanoseconds of leaving, or it has lost its
		// thread or its CPU and takes as long as the scheduler does.
		if i < 100 {
			runtime.Gosched()
		} else {
			time.Sleep(20 * time.Microsecond)
		}
	}
	return was
}
