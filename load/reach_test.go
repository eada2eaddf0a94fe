package load

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestReach(t *testing.T) {
	l := listen(t)
	if err := Reach(context.Background(), nil, l.Addr().String(), time.Minute, "start it"); err != nil {
		t.Error(err)
	}
	l.Close()
	err := Reach(context.Background(), nil, l.Addr().String(), time.Minute, "start it")
	if want := "cannot reach " + l.Addr().String() + ": connection refused (start it)"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	if got := Class(err); got != ClassRefused {
		t.Errorf("class %s, want refused", got)
	}
	err = Reach(context.Background(), nil, filepath.Join(t.TempDir(), "none.sock"), time.Second, "start it")
	if err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a socket that is not there: error %v", err)
	}
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			defer c.Close()
		}
	}()
	return l
}

// TestDialerCuts has the run end while a connection waits for an answer.
func TestDialerCuts(t *testing.T) {
	l := listen(t)
	run, cancel := context.WithCancel(context.Background())
	d := NewDialer(run, nil, 0)
	defer d.Close()
	c, err := d.DialContext(run, "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Err(net.ErrClosed); err != net.ErrClosed {
		t.Errorf("Err before the end: %v", err)
	}
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err = c.Read(make([]byte, 1)); err == nil {
		t.Fatal("the read succeeded")
	}
	if err := d.Err(err); Class(err) != ClassCanceled {
		t.Errorf("Err after the end: %v, of class %s", err, Class(err))
	}
	if err := d.Err(nil); err != nil {
		t.Errorf("Err of nothing: %v", err)
	}
	if _, err := d.DialContext(context.Background(), "tcp", l.Addr().String()); Class(err) != ClassCanceled {
		t.Errorf("dial after the end: error %v", err)
	}
}

func TestDialers(t *testing.T) {
	l := listen(t)
	var all Dialers
	d, err := all.New(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	c, err := d.DialContext(context.Background(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	other, err := all.New(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	other.Close()
	if len(all.all) != 1 {
		t.Errorf("%d dialers are kept, want 1", len(all.all))
	}
	all.Close()
	all.Close()
	if _, err := c.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
		t.Errorf("read after Close: error %v", err)
	}
	if _, err := d.DialContext(context.Background(), "tcp", l.Addr().String()); !errors.Is(err, net.ErrClosed) {
		t.Errorf("dial after Close: error %v", err)
	}
	if _, err := all.New(context.Background(), 0); err == nil {
		t.Error("New after Close: no error")
	}
}
