package loadtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// A call is one operation of a session, for checks that all operations share.
type call struct {
	name string
	do   func(s *session) error
}

func calls(db kv.DB) []call {
	all := []call{
		{"Read", func(s *session) error { _, err := s.read("user1", nil); return err }},
		{"Update", func(s *session) error { return s.update("user1", agreeing(1)) }},
		{"Insert", func(s *session) error { return s.insert("user1", agreeing(2)) }},
		{"Delete", func(s *session) error { return s.delete("user2") }},
	}
	if db.Capabilities().Scan {
		all = append(all, call{"Scan", func(s *session) error { _, err := s.scan("user", 5, nil); return err }})
	}
	return all
}

// checkCanceled makes calls with contexts that have ended.
func checkCanceled(k *kit) {
	db := k.open()
	s := k.session(db, 0)
	k.must(s.insert("user1", agreeing(0)))
	k.must(s.insert("user2", agreeing(0)))
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	late, cancelLate := context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
	defer cancelLate()
	for _, c := range calls(db) {
		s.ctx = canceled
		k.want(class(c.name+" with a canceled context", c.do(s), "canceled"))
		s.ctx = late
		k.want(class(c.name+" after its deadline", c.do(s), "timeout"))
		s.ctx = context.Background()
		if stores(db) {
			r, err := s.read("user1", nil)
			k.want(errors.Join(err, agree(r)))
		}
		if err := c.do(s); err != nil && !errors.Is(err, kv.ErrNotFound) {
			k.Errorf("%s afterwards: %v", c.name, err)
		}
	}
}

func class(what string, err error, want ...string) error {
	if err == nil {
		return fmt.Errorf("%s: no error, want one of class %q", what, want)
	}
	if got := load.Class(err); !slices.Contains(want, got) {
		return fmt.Errorf("%s: error %q of class %s, want class %q", what, err, got, want)
	}
	if errors.Is(err, errChangedArgs) || errors.Is(err, errBadDst) {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// checkCanceledMidway ends contexts during operations. The response of a cancelled
// operation must not be returned by the next one.
func checkCanceledMidway(k *kit) {
	db := k.store()
	first := k.session(db, sessions-1)
	const keys = 8
	for i := range keys {
		k.must(first.insert(fmt.Sprintf("user%d", i), agreeing(i)))
	}
	k.each(k.sessions(db, 3), func(w int, s *session) error {
		rng := k.random(w)
		for n := range 60 {
			i := rng.IntN(keys)
			key := fmt.Sprintf("user%d", i)
			limit := time.Duration(rng.IntN(500)) * time.Microsecond
			ctx, cancel := context.WithTimeout(context.Background(), limit)
			if n%2 == 0 {
				cancel()
				ctx, cancel = context.WithCancel(context.Background())
				time.AfterFunc(limit, cancel)
			}
			s.ctx = ctx
			var err error
			if n%3 == 0 {
				err = s.update(key, agreeing(i))
			} else {
				err = s.expect(key, nil, agreeing(i))
			}
			cancel()
			if err != nil {
				if err := class("operation given up", err, "canceled", "timeout"); err != nil {
					return err
				}
			}
			s.ctx = context.Background()
			i = rng.IntN(keys)
			if err := s.expect(fmt.Sprintf("user%d", i), nil, agreeing(i)); err != nil {
				return fmt.Errorf("after one that was given up: %w", err)
			}
		}
		return nil
	})
}
