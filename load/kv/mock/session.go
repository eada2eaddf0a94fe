package mock

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/tarebench/tare/internal/numbers/pace"
	"github.com/tarebench/tare/load/kv"
)

type session struct {
	db    *db
	rng   *rand.Rand
	pacer *pace.Pacer // nil without delays, and when the session is closed
}

// Read implements [kv.Session]. It finds a record without values under every key.
func (s *session) Read(ctx context.Context, key []byte, fields []int, dst *kv.Record) error {
	dst.Reset()
	err := s.operate(ctx)
	if s.db.print != nil {
		s.db.print.operation(read, key, 0, fields, nil)
	}
	return err
}

// Scan implements [kv.Session]. It finds no records.
func (s *session) Scan(ctx context.Context, key []byte, n int, fields []int, dst *kv.Records) (int, error) {
	dst.Reset()
	err := s.operate(ctx)
	if s.db.print != nil {
		s.db.print.operation(scan, key, n, fields, nil)
	}
	return 0, err
}

// Update implements [kv.Session].
func (s *session) Update(ctx context.Context, key []byte, v *kv.Record) error {
	return s.write(ctx, update, key, v)
}

// Insert implements [kv.Session].
func (s *session) Insert(ctx context.Context, key []byte, v *kv.Record) error {
	return s.write(ctx, insert, key, v)
}

func (s *session) write(ctx context.Context, kind int, key []byte, v *kv.Record) error {
	err := s.operate(ctx)
	if s.db.print != nil {
		s.db.print.operation(kind, key, 0, nil, v)
	}
	return err
}

// Delete implements [kv.Session].
func (s *session) Delete(ctx context.Context, key []byte) error {
	return s.write(ctx, remove, key, nil)
}

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
	delay, stall := s.db.next(s.rng)
	now := s.pacer.Now()
	switch {
	case s.db.queue != nil:
		return s.wait(ctx, now, s.db.queue.serve(now, delay, s.db.stalls))
	case !s.db.modes:
		return s.wait(ctx, now, s.db.stalls.after(now, delay))
	case stall:
		s.db.world.Lock()
		defer s.db.world.Unlock()
		now = s.pacer.Now()
		defer func() { s.db.noted.add(now, s.pacer.Now()) }()
	default:
		s.db.world.RLock()
		defer s.db.world.RUnlock()
		now = s.pacer.Now()
	}
	return s.wait(ctx, now, now+int64(delay))
}

const (
	// spinBelow is the delay below which waiting spins: so short a sleep would take
	// twice as long, and workers rarely spin all at once.
	spinBelow = int64(50 * time.Microsecond)

	// contextCheckInterval is how often a delay checks its context. Waiting for the context would
	// cost an allocation for each delay.
	contextCheckInterval = int64(10 * time.Millisecond)
)

// wait waits from now until the end of an operation.
func (s *session) wait(ctx context.Context, now, end int64) error {
	answer := error(nil)
	if t := int64(s.db.timeout); t > 0 && end-now > t {
		end, answer = now+t, s.db.late
	}
	for now < end {
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
