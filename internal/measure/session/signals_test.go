//go:build unix

package session

import (
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
)

// TestFirstSignal: the signal counts before the callback tells the user, and the command does not end before
// the callback has returned.
func TestFirstSignal(t *testing.T) {
	quit := make(chan (<-chan struct{}), 1)
	begun, proceed := make(chan bool), make(chan struct{})
	s := CatchSignals(func(os.Signal) {
		select {
		case <-<-quit:
			begun <- true
		default:
			begun <- false
		}
		<-proceed
	})
	defer s.Stop()
	quit <- s.Quit()
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if !<-begun || !s.Caught() {
		t.Error("the callback was called before the signal counted")
	}
	ended := make(chan error)
	go func() { ended <- s.ExitError() }()
	select {
	case <-ended:
		t.Fatal("the command ends before the callback has returned")
	case <-time.After(20 * time.Millisecond):
	}
	close(proceed)
	if e := exit.As(<-ended); e == nil || e.Code != exit.Terminate {
		t.Errorf("%+v, want code %d", e, exit.Terminate)
	}
}
