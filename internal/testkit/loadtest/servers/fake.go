package servers

import (
	"io"
	"net"
	"sync"
	"testing"
	"time"
)

// Fake serves each connection with the function and returns the address. It ends with
// the test.
func Fake(t testing.TB, serve func(net.Conn)) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var (
		mu    sync.Mutex
		conns []net.Conn
		wg    sync.WaitGroup
	)
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			conns = append(conns, c)
			mu.Unlock()
			wg.Go(func() {
				defer c.Close()
				serve(c)
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		mu.Lock()
		for _, c := range conns {
			c.Close()
		}
		mu.Unlock()
		wg.Wait()
	})
	return l.Addr().String()
}

// Rubbish answers any request with bytes that are invalid in every protocol.
func Rubbish(c net.Conn) {
	buf := make([]byte, 4096)
	for {
		if _, err := c.Read(buf); err != nil {
			return
		}
		if _, err := c.Write([]byte("\x07what do you mean by this?\r\n")); err != nil {
			return
		}
	}
}

// Echo answers with the request.
func Echo(c net.Conn) { io.Copy(c, c) }

// Silent reads and never answers.
func Silent(c net.Conn) { io.Copy(io.Discard, c) }

// Closing closes a connection after the first request.
func Closing(c net.Conn) { c.Read(make([]byte, 1)) }

// Relay forwards everything to another server and delays its responses.
func Relay(addr string, delay time.Duration) func(net.Conn) {
	return func(c net.Conn) {
		server, err := net.Dial("tcp", addr)
		if err != nil {
			return
		}
		defer server.Close()
		go func() {
			io.Copy(server, c)
			server.Close()
		}()
		buf := make([]byte, 64<<10)
		for {
			n, err := server.Read(buf)
			if err != nil {
				return
			}
			time.Sleep(delay)
			if _, err := c.Write(buf[:n]); err != nil {
				return
			}
		}
	}
}

// Turning serves with the first function until turn is called, which closes all
// connections. Later connections are served with the second.
func Turning(t testing.TB, first, then func(net.Conn)) (addr string, turn func()) {
	t.Helper()
	var (
		mu     sync.Mutex
		conns  []net.Conn
		turned bool
	)
	addr = Fake(t, func(c net.Conn) {
		mu.Lock()
		conns = append(conns, c)
		serve := first
		if turned {
			serve = then
		}
		mu.Unlock()
		serve(c)
	})
	return addr, func() {
		mu.Lock()
		defer mu.Unlock()
		turned = true
		for _, c := range conns {
			c.Close()
		}
	}
}
