package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func TestClass(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want string
	}{
		{nil, ""},
		{errors.New("what?"), ClassOther},
		{ErrNotFound, ClassNotFound},
		{fmt.Errorf("key 5: %w", ErrNotFound), ClassNotFound},
		{fmt.Errorf("key 5: %w", ErrIntegrity), ClassIntegrity},
		{fmt.Errorf("scan: %w", ErrUnsupported), ClassUnsupported},
		{errors.ErrUnsupported, ClassUnsupported},
		{context.Canceled, ClassCanceled},
		{fmt.Errorf("get: %w", context.Canceled), ClassCanceled},
		{context.DeadlineExceeded, ClassTimeout},
		{os.ErrDeadlineExceeded, ClassTimeout},
		{&net.DNSError{Err: "no such host", IsTimeout: true}, ClassTimeout},
		{&net.DNSError{Err: "no such host", IsNotFound: true}, ClassRefused},
		{&net.OpError{Op: "dial", Err: errors.New("i/o problem")}, ClassRefused},
		{&net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}, ClassTimeout},
		{&net.OpError{Op: "read", Err: syscall.ECONNRESET}, ClassReset},
		{&net.OpError{Op: "write", Err: os.NewSyscallError("write", syscall.EPIPE)}, ClassReset},
		{io.EOF, ClassReset},
		{fmt.Errorf("reply: %w", io.ErrUnexpectedEOF), ClassReset},
		{net.ErrClosed, ClassReset},
		{WithClass(ClassServer, errors.New("ERR wrong")), ClassServer},
		{fmt.Errorf("get: %w", WithClass(ClassProtocol, io.EOF)), ClassProtocol},
		{WithClass("", io.EOF), ClassReset},
		{errors.Join(errors.New("close"), syscall.ECONNREFUSED), ClassRefused},
	} {
		if got := Class(tt.err); got != tt.want {
			t.Errorf("%v (%T): %q, want %q", tt.err, tt.err, got, tt.want)
		}
	}
}

// TestClassOfRealErrors asks the system for errors instead of making them up.
func TestClassOfRealErrors(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	address := l.Addr().String()
	accepted := make(chan net.Conn, 1)
	go func() {
		if c, err := l.Accept(); err == nil {
			accepted <- c
		}
	}()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(-time.Second))
	_, err = c.Read(make([]byte, 1))
	wantClass(t, err, ClassTimeout)

	c.SetDeadline(time.Now().Add(time.Minute))
	(<-accepted).Close()
	_, err = c.Read(make([]byte, 1))
	wantClass(t, err, ClassReset)

	l.Close()
	_, err = net.Dial("tcp", address)
	wantClass(t, err, ClassRefused)
	_, err = net.Dial("unix", filepath.Join(t.TempDir(), "none"))
	wantClass(t, err, ClassRefused)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = new(net.Dialer).DialContext(ctx, "tcp", address)
	wantClass(t, err, ClassCanceled)
}

func wantClass(t *testing.T, err error, want string) {
	t.Helper()
	if got := Class(err); got != want {
		t.Errorf("%v (%T): %q, want %q", err, err, got, want)
	}
}
