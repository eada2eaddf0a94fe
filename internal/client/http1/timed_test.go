package http1

import (
	"errors"
	"net"
	"os"
	"testing"
	"time"
)

// scripted is a connection whose reads and writes return errors from a list, and then nil.
type scripted struct {
	net.Conn
	errs []error
	sets int // of the deadline
}

func (s *scripted) SetDeadline(time.Time) error { s.sets++; return nil }

func (s *scripted) next() error {
	if len(s.errs) == 0 {
		return nil
	}
	err := s.errs[0]
	s.errs = s.errs[1:]
	return err
}

func (s *scripted) Read(b []byte) (int, error) {
	if err := s.next(); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Write writes half of the bytes before an error.
func (s *scripted) Write(b []byte) (int, error) {
	if err := s.next(); err != nil {
		return len(b) / 2, err
	}
	return len(b), nil
}

const hour = int64(time.Hour)

// TestDeadlineOfEarlierRequest: a call that the deadline of an earlier request interrupts is repeated.
func TestDeadlineOfEarlierRequest(t *testing.T) {
	s := &scripted{errs: []error{os.ErrDeadlineExceeded, os.ErrDeadlineExceeded}}
	c := &timed{Conn: s}
	c.limit(Now() + hour)
	c.limit(Now() + 2*hour)
	if s.sets != 1 {
		t.Errorf("the deadline was set %d times for two requests, want 1", s.sets)
	}
	if n, err := c.Read(make([]byte, 8)); n != 8 || err != nil {
		t.Errorf("read %d, %v", n, err)
	}
	if s.sets != 3 {
		t.Errorf("the deadline was set %d times, want 3: it had passed twice", s.sets)
	}
	s.errs = []error{os.ErrDeadlineExceeded, os.ErrDeadlineExceeded}
	if n, err := c.Write(make([]byte, 8)); n != 8 || err != nil {
		t.Errorf("wrote %d of 8, %v", n, err)
	}
}

func TestDeadlineOfThisRequest(t *testing.T) {
	s := &scripted{errs: []error{os.ErrDeadlineExceeded}}
	c := &timed{Conn: s}
	c.limit(Now() + hour)
	c.limit(Now() - 1)
	if s.sets != 2 {
		t.Errorf("the deadline was set %d times, want 2: the second is earlier", s.sets)
	}
	if _, err := c.Read(make([]byte, 8)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	c.limit(0)
	if s.sets != 3 {
		t.Errorf("the deadline was set %d times, want 3: there is no limit any more", s.sets)
	}
}

func TestOtherErrors(t *testing.T) {
	s := &scripted{errs: []error{net.ErrClosed}}
	c := &timed{Conn: s}
	c.limit(Now() + hour)
	if _, err := c.Read(make([]byte, 8)); err != net.ErrClosed {
		t.Errorf("error %v", err)
	}
}
