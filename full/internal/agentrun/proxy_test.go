//go:build linux || darwin

package agentrun_test

import (
	"io"
	"net"
	"sync"
	"testing"
	"time"
)

// A proxy forwards the connections of one agent, and stops doing so for a time.
type proxy struct {
	listener net.Listener
	to       string

	mu    sync.Mutex
	held  bool // bytes are kept back
	moved *sync.Cond
	cut   bool // connections are closed
	conns map[net.Conn]bool
}

func newProxy(t *testing.T, to string) *proxy {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: l, to: to, conns: map[net.Conn]bool{}}
	p.moved = sync.NewCond(&p.mu)
	go p.serve()
	t.Cleanup(func() { l.Close(); p.hold(false); p.sever(true) })
	return p
}

func (p *proxy) url() string { return "nats://" + p.listener.Addr().String() }

func (p *proxy) serve() {
	for {
		from, err := p.listener.Accept()
		if err != nil {
			return
		}
		go p.forward(from)
	}
}

func (p *proxy) forward(from net.Conn) {
	if !p.keep(from) {
		return
	}
	to, err := net.DialTimeout("tcp", p.to, time.Second)
	if err != nil || !p.keep(to) {
		p.drop(from)
		return
	}
	go func() { p.pipe(from, to); p.drop(from); p.drop(to) }()
	p.pipe(to, from)
	p.drop(from)
	p.drop(to)
}

// pipe copies what arrives, not while it is held back.
func (p *proxy) pipe(to, from net.Conn) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			p.mu.Lock()
			for p.held {
				p.moved.Wait()
			}
			p.mu.Unlock()
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err == io.EOF || err != nil {
			return
		}
	}
}

// keep notes a connection. It closes it, and reports false, while connections are cut.
func (p *proxy) keep(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cut {
		c.Close()
		return false
	}
	p.conns[c] = true
	return true
}

func (p *proxy) drop(c net.Conn) {
	p.mu.Lock()
	delete(p.conns, c)
	p.mu.Unlock()
	c.Close()
}

// hold keeps all bytes back, and forwards them later.
func (p *proxy) hold(on bool) {
	p.mu.Lock()
	p.held = on
	p.mu.Unlock()
	p.moved.Broadcast()
}

// sever closes all connections, and those that are made from then on.
func (p *proxy) sever(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = on
	if on {
		for c := range p.conns {
			c.Close()
		}
	}
}
