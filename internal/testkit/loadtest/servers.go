package loadtest

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/tarebench/tare/load/kv"
)

// A user works with a server that goes down and up again.
type user struct {
	ok, failed atomic.Int64
}

// checkKill kills the server while workers use it. Each worker must get errors with
// meaningful classes, and each session must recover by itself.
func checkKill(k *kit) {
	db := k.open()
	const workers = 4
	users := make([]user, workers)
	var stop atomic.Bool
	ended := make(chan struct{})
	all := k.sessions(db, workers)
	go func() {
		defer close(ended)
		k.each(all, func(w int, s *session) error { return users[w].work(s, w, &stop) })
	}()
	defer func() { stop.Store(true); <-ended }()

	every := func(what string, cond func(u *user) bool) {
		k.Helper()
		k.wait(what, func() bool {
			for i := range users {
				select {
				case <-ended:
					k.Fatalf("the workers ended before %s", what)
				default:
				}
				if !cond(&users[i]) {
					return false
				}
			}
			return true
		})
	}
	every("all workers work", func(u *user) bool { return u.ok.Load() > 20 })
	k.c.Server.Kill(k.TB)
	every("all workers saw that the server was killed", func(u *user) bool { return u.failed.Load() > 2 })
	k.c.Server.Start(k.TB)
	for i := range users {
		users[i].ok.Store(0)
	}
	every("all sessions recovered", func(u *user) bool { return u.ok.Load() > 20 })
}

// work inserts and reads records whose fields agree until stop is set.
func (u *user) work(s *session, w int, stop *atomic.Bool) error {
	for i := 0; !stop.Load(); i++ {
		key := fmt.Sprintf("user%d", (i/2)%10)
		var err error
		if i%2 == 0 {
			err = s.insert(key, agreeing(i%1000))
		} else {
			var r rec
			if r, err = s.read(key, nil); err == nil {
				if err := agree(r); err != nil {
					return err
				}
			}
		}
		switch {
		case err == nil || errors.Is(err, kv.ErrNotFound):
			u.ok.Add(1)
		default:
			if err := class("operation on a server that was killed", err, "refused", "reset", "timeout", "server", "protocol", "canceled"); err != nil {
				return err
			}
			u.failed.Add(1)
			time.Sleep(time.Millisecond)
		}
	}
	return nil
}

// checkDown opens the store while the server is down: Open must fail soon.
func checkDown(k *kit) {
	k.c.Server.Kill(k.TB)
	defer k.c.Server.Start(k.TB)
	set := k.settings()
	set.OpTimeout = time.Second
	began := time.Now()
	db, err := k.c.Open(context.Background(), set)
	if err == nil {
		db.Close()
		k.Fatal("Open succeeded although the server is down")
	}
	if took := time.Since(began); took > k.patience/2 {
		k.Errorf("Open took %v to find that the server is down", took)
	}
}

// checkHang stops the server: operations must end by their timeout or their context,
// and late responses must not be returned for later requests.
func checkHang(k *kit) {
	set := k.settings()
	inserts := k.session(k.openWith(set), 0) // with a long timeout: a busy machine is no hang
	for i := range 8 {
		k.must(inserts.insert(fmt.Sprintf("user%d", i), agreeing(i)))
	}
	set.OpTimeout = 500 * time.Millisecond
	s := k.session(k.openWith(set), 0)
	_, err := s.read("user0", nil) // connects
	k.must(err)
	k.c.Server.Stop(k.TB)
	running := false
	cont := func() {
		if !running {
			running = true
			k.c.Server.Cont(k.TB)
		}
	}
	defer cont()

	k.want(k.within(set.OpTimeout, "read of a server that hangs", "timeout", func() error {
		_, err := s.read("user1", nil)
		return err
	}))
	k.want(k.within(set.OpTimeout, "update of a server that hangs", "timeout", func() error {
		return s.update("user2", agreeing(2))
	}))
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	s.ctx = ctx
	k.want(k.within(set.OpTimeout, "canceled read of a server that hangs", "canceled", func() error {
		_, err := s.read("user3", nil)
		return err
	}))
	s.ctx = context.Background()
	cont()
	k.wait("the session recovered", func() bool { _, err := s.read("user4", nil); return err == nil })
	for i := range 8 {
		k.want(s.expect(fmt.Sprintf("user%d", i), nil, agreeing(i)))
	}
	k.want(inserts.expect("user5", nil, agreeing(5)))
}

// within checks that an operation ends soon after the timeout, with an error of
// the class, or of class timeout.
func (k *kit) within(timeout time.Duration, what, want string, do func() error) error {
	k.Helper()
	ended := make(chan error, 1)
	go func() { ended <- do() }()
	select {
	case err := <-ended:
		return class(what, err, want, "timeout")
	case <-time.After(timeout + k.patience/4):
		k.Fatalf("%s has not ended long after the timeout of %v", what, timeout)
		return nil
	}
}
