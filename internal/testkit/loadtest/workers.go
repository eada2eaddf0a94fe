package loadtest

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"

	"github.com/tarebench/tare/load/kv"
)

// agreeing returns a record whose fields all have the same text, so that a mixture of
// two writes is detected.
func agreeing(i int) rec {
	r := rec{}
	text := strings.Repeat(fmt.Sprintf("%06d ", i), 1+i%40)
	for f := range fields {
		r[f] = text
	}
	return r
}

// agree checks a record that was written by agreeing.
func agree(r rec) error {
	if len(r) != fields {
		return fmt.Errorf("%d fields, want %d", len(r), fields)
	}
	for f, v := range r {
		if v != r[0] {
			return fmt.Errorf("torn: field 0 is %s, field %d is %s", short(r[0]), f, short(v))
		}
		if len(v) < 7 || strings.Repeat(v[:7], len(v)/7) != v {
			return fmt.Errorf("torn: field %d is %s", f, short(v))
		}
	}
	return nil
}

// checkTorn lets two workers write one record and two others read it.
func checkTorn(k *kit) {
	db := k.store()
	k.must(k.session(db, sessions-1).insert("user1", agreeing(0)))
	const enough = 100 // reads while others write
	var writers, reads atomic.Int64
	writers.Store(2)
	k.each(k.sessions(db, 4), func(w int, s *session) error {
		if w < 2 {
			defer writers.Add(-1)
			write := []func(string, rec) error{s.insert, s.update}[w]
			for i := 0; i < 250 || reads.Load() < enough; i++ {
				if err := write("user1", agreeing(2*i+w)); err != nil {
					return err
				}
			}
			return nil
		}
		defer reads.Add(enough) // also when it fails
		for n := 0; writers.Load() > 0 || n < 50; n++ {
			runtime.Gosched() // with one processor, writers would wait out a slice of time for each write
			reads.Add(1)
			r, err := s.read("user1", nil)
			if err == nil {
				err = agree(r)
			}
			if err != nil {
				return fmt.Errorf("read %d: %w", n, err)
			}
		}
		return nil
	})
}

// checkLostUpdates lets each worker update a different field of the same record: each
// must read its last value.
func checkLostUpdates(k *kit) {
	if k.c.LosesUpdates {
		k.Skip("the store is known to lose updates of one record at the same time")
	}
	db := k.store()
	k.must(k.session(db, sessions-1).insert("user1", agreeing(0)))
	k.each(k.sessions(db, 4), func(w int, s *session) error {
		for i := range 80 {
			u := rec{w: fmt.Sprintf("worker %d, update %d", w, i)}
			if err := s.update("user1", u); err != nil {
				return err
			}
			if err := s.expect("user1", []int{w}, u); err != nil {
				return fmt.Errorf("lost: %w", err)
			}
		}
		return nil
	})
	r, err := k.session(db, sessions-2).read("user1", nil)
	k.must(err)
	for w := range 4 {
		if want := fmt.Sprintf("worker %d, update 79", w); r[w] != want {
			k.Errorf("in the end field %d is %s, want %q", w, short(r[w]), want)
		}
	}
}

// checkManySessions uses as many workers as announced, each with its own records.
func checkManySessions(k *kit) {
	db := k.open()
	keeps := stores(db)
	k.each(k.sessions(db, sessions), func(w int, s *session) error {
		rng := k.random(w)
		mine := model{}
		for i := range 60 {
			key := fmt.Sprintf("user%d-%d", w, rng.IntN(10))
			var err error
			switch {
			case i%3 == 0 || !keeps:
				mine[key] = rec{0: fmt.Sprint(w), 1: fmt.Sprint(i)}
				err = s.insert(key, mine[key])
			case i%3 == 1 && mine[key] != nil:
				u := rec{1: fmt.Sprint(i)}
				mine[key] = mine[key].with(u)
				err = s.update(key, u)
			default:
				err = mine.checkRead(s, key, nil)
			}
			if err != nil {
				return fmt.Errorf("operation %d: %w", i, err)
			}
		}
		_, err := s.read(fmt.Sprintf("user%d-%d", w, 0), nil)
		if errors.Is(err, kv.ErrNotFound) {
			return nil
		}
		return err
	})
}
