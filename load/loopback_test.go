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

func TestLoopback(t *testing.T) {
	for address, want := range map[string]string{
		"127.0.0.1:80":          "",
		"127.255.3.9:80":        "",
		"[::1]:80":              "",
		"[::ffff:127.0.0.1]:80": "",
		"localhost:80":          "",
		"/run/some.sock":        "",
		"192.0.2.1:80":          "192.0.2.1:80 is not a loopback address, and tare loads loopback targets only",
		"[2001:db8::1]:80":      "is not a loopback address",
		"0.0.0.0:80":            "is not a loopback address",
		"[::]:80":               "is not a loopback address",
		"10.0.0.1:80":           "is not a loopback address",
		"127.0.0.1":             "is not host:port",
		"":                      "is not host:port",
		"not a host:80":         "cannot resolve host \"not a host\"",
	} {
		err := Loopback(address)
		switch {
		case want == "" && err != nil:
			t.Errorf("%q: %v", address, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: error %v, want %q in it", address, err, want)
		}
	}
}

func TestReach(t *testing.T) {
	l := listen(t)
	if err := Reach(context.Background(), l.Addr().String(), time.Minute); err != nil {
		t.Error(err)
	}
	l.Close()
	err := Reach(context.Background(), l.Addr().String(), time.Minute)
	if want := "cannot reach " + l.Addr().String() + ": connection refused"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	if got := Class(err); got != ClassRefused {
		t.Errorf("class %s, want refused", got)
	}
	err = Reach(context.Background(), filepath.Join(t.TempDir(), "none.sock"), time.Second)
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

// TestDialerChecksAgain dials what a name may have come to mean since it was
// checked.
func TestDialerChecksAgain(t *testing.T) {
	d := NewDialer(context.Background(), time.Minute)
	defer d.Close()
	for _, address := range []string{"192.0.2.1:80", "[2001:db8::1]:80"} {
		_, err := d.DialContext(context.Background(), "tcp", address)
		if !errors.Is(err, errNotLoopback) {
			t.Errorf("%s: error %v", address, err)
		}
	}
}

// TestDialerCuts has the run end while a connection waits for an answer.
func TestDialerCuts(t *testing.T) {
	l := listen(t)
	run, cancel := context.WithCancel(context.Background())
	d := NewDialer(run, 0)
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
