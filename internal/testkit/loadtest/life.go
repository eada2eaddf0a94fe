package loadtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/tarebench/tare/load/kv"
)

func checkCloseTwice(k *kit) {
	db := k.open()
	s := k.session(db, 0)
	k.must(s.insert("user1", agreeing(0)))
	for range 2 {
		if err := s.s.Close(); err != nil {
			k.Errorf("Session.Close: %v", err)
		}
	}
	for range 2 {
		if err := db.Close(); err != nil {
			k.Errorf("DB.Close: %v", err)
		}
	}
}

// checkAfterClose closes the store while workers use it: they must get errors,
// without panics or hangs.
func checkAfterClose(k *kit) {
	const users, warm = 3, 20
	db := k.open()
	list := calls(db)
	var done atomic.Int64
	var closed atomic.Bool
	k.each(k.sessions(db, users+1), func(w int, s *session) error {
		if w == users {
			defer closed.Store(true)
			for done.Load() < users*warm {
				time.Sleep(100 * time.Microsecond)
			}
			return db.Close()
		}
		defer done.Add(users * warm) // also when it fails
		for i := range warm {
			if err := list[i%len(list)].do(s); failed(err) {
				return err
			}
			done.Add(1)
		}
		for i := 0; !closed.Load(); i++ {
			list[i%len(list)].do(s)
		}
		for _, c := range list {
			if err := c.do(s); !failed(err) {
				return fmt.Errorf("%s after Close: error %v, want one that says closed", c.name, err)
			}
		}
		return nil
	})
	if s, err := db.Session(context.Background(), 0); err == nil {
		s.Close()
		k.Error("Session after Close: no error")
	}
}

// failed reports whether an operation failed; ErrNotFound is no failure.
func failed(err error) bool { return err != nil && !errors.Is(err, kv.ErrNotFound) }

// checkLeaks compares the number of goroutines before and after.
func checkLeaks(k *kit) {
	use := func() {
		db, err := k.c.Open(context.Background(), k.settings())
		k.must(err)
		s, err := db.Session(context.Background(), 0)
		k.must(err)
		k.must((&session{s: s, ctx: context.Background()}).insert("user1", agreeing(0)))
		k.want(s.Close())
		k.want(db.Close())
	}
	use() // start goroutines that a library keeps forever
	before := runtime.NumGoroutine()
	for range 3 {
		use()
	}
	k.wait("the goroutines of closed stores have ended", func() bool { return runtime.NumGoroutine() < before+3 })
}

func checkReopen(k *kit) {
	set := k.settings()
	set.Dir = k.TempDir()
	want := model{"user1": k.full(fields, 100), "user2": k.full(fields, 100)}
	db := k.openWith(set)
	s := k.session(db, 0)
	for key, r := range want {
		k.must(s.insert(key, r))
	}
	k.must(s.s.Close())
	k.must(db.Close())
	db = k.openWith(set)
	again := k.session(db, 0)
	for key, r := range want {
		k.want(again.expect(key, nil, r))
	}
	k.must(again.s.Close())
	k.must(db.Close())

	set.Table += "_other"
	k.want(k.session(k.openWith(set), 0).expectNone("user1"))
}

func checkOpenedTwice(k *kit) {
	set := k.settings()
	set.Dir = k.TempDir()
	db := k.openWith(set)
	if second, err := k.c.Open(context.Background(), set); err == nil {
		second.Close()
		k.Error("a directory in use could be opened a second time")
	} else if !strings.Contains(err.Error(), set.Dir) {
		k.Errorf("the error does not name the directory: %v", err)
	}
	s := k.session(db, 0)
	k.want(s.insert("user1", agreeing(0)))
	k.want(s.expect("user1", nil, agreeing(0)))

	set.Dir = filepath.Join(set.Dir, "missing")
	if db, err := k.c.Open(context.Background(), set); err == nil {
		db.Close()
		k.Error("a directory that is not there could be opened")
	} else if !strings.Contains(err.Error(), set.Dir) {
		k.Errorf("the error does not name the directory: %v", err)
	}
	if _, err := os.Stat(set.Dir); err == nil {
		k.Errorf("a failed Open left %s", set.Dir)
	}
}
