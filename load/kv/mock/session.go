package mock

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/tarebench/tare/internal/pace"
	"github.com/tarebench/tare/load/kv"
)

type session struct {
	db    *db
	rng   *rand.Rand
	pacer *pace.Pacer // nil without delays, and when the session is closed
}

// Read implements [kv.Session]. It finds a record without values under every key.
func (s *session) Read(ctx context.Context, _ []byte, _ []int, dst *kv.Record) error {
	dst.Reset()
	return s.operate(ctx)
}

// Scan implements [kv.Session]. It finds no records.
func (s *session) Scan(ctx context.Context, _ []byte, _ int, _ []int, dst *kv.Records) (int, error) {
	dst.Reset()
	return 0, s.operate(ctx)
}

// Update implements [kv.Session].
func (s *session) Update(ctx context.Context, _ []byte, _ *kv.Record) error { return s.operate(ctx) }

// Insert implements [kv.Session].
func (s *session) Insert(ctx context.Context, _ []byte, _ *kv.Record) error { return s.operate(ctx) }

// Delete implements [kv.Session].
func (s *session) Delete(ctx context.Context, _ []byte) error { return s.operate(ctx) }

// Close implements [kv.Session].
func (s *session) Close() error {
	if s.pacer != nil {
		s.db.release(s.pacer)
		s.pacer = nil
	}
	return nil
}

// operate implements all operations.
func (s *session) operate(ctx context.Context) error {
	if s.db.closed.Load() {
		return errClosed
	}
	if err := ctx.Err(); err != nil || s.db.group == nil {
		return err
	}
	if s.pacer == nil {
		return errClosed
	}
	delay, stall := s.db.delays.next(s.rng)
	if !s.db.delays.stalls {
		return s.wait(ctx, delay)
	}
	if stall {
		s.db.world.Lock()
		defer s.db.world.Unlock()
	} else {
		s.db.world.RLock()
		defer s.db.world.RUnlock()
	}
	return s.wait(ctx, delay)
}

const (
	// spinBelow is the delay below which waiting spins: so short a sleep would take
	// twice as long, and workers rarely spin all at once.
	spinBelow = int64(50 * time.Microsecond)

	// contextCheckInterval is how often a delay checks its context. Waiting for the context would
	// cost an allocation for each delay.
	contextCheckInterval = int64(10 * time.Millisecond)
)

// wait waits for the delay of one operation.
func (s *session) wait(ctx context.Context, delay time.Duration) error {
	answer := error(nil)
	if t := s.db.timeout; t > 0 && delay > t {
		delay, answer = t, s.db.late
	}
	now := s.pacer.Now()
	for end := now + int64(delay); now < end; {
		if end-now < spinBelow {
			now = s.pacer.Now()
			continue
		}
		var err error
		if now, _, err = s.pacer.Wait(min(end, now+contextCheckInterval)); err != nil {
			return errClosed
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return answer
}
