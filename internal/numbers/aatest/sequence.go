package aatest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/tarebench/tare/record"
)

// ErrInterrupted is the error of a run that was interrupted.
var ErrInterrupted = errors.New("interrupted")

// giveUp is the number of failures in a row after which a benchmark is not
// tried again.
const giveUp = 3

// Step is one process to run.
type Step struct {
	Block     int    // from 1
	Benchmark int    // index, from 0
	Purpose   string // PurposeFork or PurposeUsual
	Side      string // SideA or SideB
	Round     int    // to be recorded
}

// A Sequence runs block after block until the budget is spent.
type Sequence struct {
	Seed       record.Seed
	Benchmarks int // how many there are
	N          int // values a side in a window
	Budget     time.Duration

	// Run runs one process; false means that it failed. Its error means that no
	// more processes can be run.
	Run func(context.Context, Step) (bool, error)
	// Now is the clock; nil: time.Now.
	Now func() time.Time
}

// Stop tells how measuring ended.
type Stop struct {
	Blocks int    // that were begun
	Why    string // it is over
}

// sequence is the state of one Measure.
type sequence struct {
	*Sequence
	quit  <-chan struct{}
	start time.Time
	last  []time.Duration // of the last block of each benchmark; 0: none yet
	bad   []int           // failures in a row of each benchmark
}

// Measure runs the blocks. The first is run however small the budget is, later
// ones only if they are expected to end within it. Closing quit lets it finish
// the process in hand and return ErrInterrupted; ending the context is Run's
// affair, after which it returns ErrInterrupted too.
//
// A process that fails is run once more; if it fails again its window is given
// up, and after three failures in a row its benchmark.
func (s *Sequence) Measure(ctx context.Context, quit <-chan struct{}) (Stop, error) {
	if s.Benchmarks < 1 || s.N < 1 {
		return Stop{}, fmt.Errorf("selftest: %d benchmarks in windows of %d", s.Benchmarks, s.N)
	}
	m := &sequence{Sequence: s, quit: quit, last: make([]time.Duration, s.Benchmarks), bad: make([]int, s.Benchmarks)}
	m.start = m.now()
	begun := 0
	for block := 1; ; block++ {
		b := s.benchmark(block)
		if m.bad[b] >= giveUp {
			if m.none() {
				return Stop{begun, "no benchmark is left that does not fail"}, nil
			}
			continue
		}
		passed := m.now().Sub(m.start)
		if begun > 0 && passed+m.expect(b) > s.Budget {
			return Stop{begun, "the budget is spent"}, nil
		}
		begun++
		if err := m.block(ctx, block, b); err != nil {
			return Stop{begun, err.Error()}, err
		}
		m.last[b] = m.now().Sub(m.start) - passed
	}
}

func (s *Sequence) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}

// expect returns how long a block of a benchmark will take: as long as its last, or
// as the longest of the others.
func (m *sequence) expect(b int) time.Duration {
	if m.last[b] > 0 {
		return m.last[b]
	}
	var d time.Duration
	for _, l := range m.last {
		d = max(d, l)
	}
	return d
}

// none reports whether every benchmark was given up.
func (m *sequence) none() bool {
	for _, n := range m.bad {
		if n < giveUp {
			return false
		}
	}
	return true
}

// block runs both windows of a block.
func (m *sequence) block(ctx context.Context, block, b int) error {
	for _, window := range m.windows(block, b) {
		if err := m.window(ctx, window); err != nil {
			return err
		}
	}
	return nil
}

// window runs the steps of a window until one fails twice.
func (m *sequence) window(ctx context.Context, steps []Step) error {
	for _, s := range steps {
		ok, err := m.twice(ctx, s)
		if err != nil || !ok {
			return err
		}
	}
	return nil
}

func (m *sequence) twice(ctx context.Context, s Step) (bool, error) {
	for range 2 {
		select {
		case <-m.quit:
			return false, ErrInterrupted
		case <-ctx.Done():
			return false, ErrInterrupted
		default:
		}
		ok, err := m.Run(ctx, s)
		if err != nil {
			return false, err
		}
		if ctx.Err() != nil {
			return false, ErrInterrupted
		}
		if ok {
			m.bad[s.Benchmark] = 0
			return true, nil
		}
		m.bad[s.Benchmark]++
	}
	return false, nil
}

// What is drawn from the seed, so that the streams do not overlap.
const (
	turns  = 1 << 62 // order of the benchmarks
	inside = 1 << 63 // order inside a block
)

// benchmark returns the one whose turn it is: in every cycle of blocks each has one.
func (s *Sequence) benchmark(block int) int {
	cycle, at := (block-1)/s.Benchmarks, (block-1)%s.Benchmarks
	return rand.New(rand.NewPCG(uint64(s.Seed), turns|uint64(cycle))).Perm(s.Benchmarks)[at]
}

// windows returns the steps of the two windows of a block, in order.
func (s *Sequence) windows(block, b int) [][]Step {
	r := rand.New(rand.NewPCG(uint64(s.Seed), inside|uint64(block)))
	usual := []Step{{block, b, PurposeUsual, SideA, block}, {block, b, PurposeUsual, SideB, block}}
	var forks []Step
	for i := range s.N {
		pair := []string{SideA, SideB}
		if r.IntN(2) == 1 {
			pair[0], pair[1] = pair[1], pair[0]
		}
		for _, side := range pair {
			forks = append(forks, Step{block, b, PurposeFork, side, roundOf(block, i, s.N)})
		}
	}
	if r.IntN(2) == 1 {
		return [][]Step{usual, forks}
	}
	return [][]Step{forks, usual}
}
