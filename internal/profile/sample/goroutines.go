package sample

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/binary/pprofio"
)

// goroutine is a goroutine in the text of runtime.Stack, of a crash, and of net/http/pprof's goroutine?debug=2.
type goroutine struct {
	id     uint64
	parent uint64 // the goroutine that has created it; 0: unknown
	*site
}

// site is what a text says of a goroutine besides numbers. Goroutines of the same place share it: a server may have
// hundreds of thousands of goroutines in a few places.
type site struct {
	state   uint64 // inRunning …, inWaiting
	reason  string // of inWaiting
	frames  []frame
	cut     bool
	creator string // the function that has created it
}

// Limits of that text: bytes of a line, and calls of all places.
const (
	maxLine   = 1 << 20
	maxFrames = 1 << 20
)

// parseAnswer parses that text, of at most so many bytes. It omits the goroutine that has written it and others of its
// connection. A text of exactly that length has been cut off by the
// server; its last goroutine is omitted, because its stack may be incomplete.
func parseAnswer(r io.Reader, most int64) (gs []goroutine, cut bool, err error) {
	c := &countingReader{r: r}
	gs, err = parseText(c, most)
	if cut = err == nil && c.n == most; cut {
		gs = gs[:max(0, len(gs)-1)]
	}
	return withoutOwnGoroutines(gs), cut, err
}

// countingReader counts the bytes that were read.
type countingReader struct {
	r io.Reader
	n int64
}

func (c *countingReader) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}

// parseText returns all goroutines in the order of the text.
func parseText(r io.Reader, most int64) ([]goroutine, error) {
	p := &goroutineParser{places: map[string]*site{}, shared: texts{}}
	defer func() { clear(p.shared) }()
	sc := bufio.NewScanner(pprofio.Limit(r, most, "the text"))
	sc.Buffer(nil, maxLine)
	for sc.Scan() {
		if err := p.line(sc.Bytes()); err != nil {
			return p.done(), err
		}
	}
	if err := sc.Err(); errors.Is(err, bufio.ErrTooLong) {
		return p.done(), fmt.Errorf("not the text of net/http/pprof: a line has more than %d bytes", maxLine)
	} else if err != nil {
		return p.done(), err
	}
	return p.done(), nil
}

func clip(s string) string {
	const most = 60
	if len(s) > most {
		return s[:most] + "…" // by which half a secret is found
	}
	return s
}

// wroteText reports whether the goroutine has written the text.
func (g *goroutine) wroteText() bool {
	if g.state != inRunning {
		return false
	}
	for _, f := range g.frames {
		if f.name == "runtime/pprof.writeGoroutineStacks" || f.name == "runtime.Stack" {
			return true
		}
	}
	return false
}

// withoutOwnGoroutines removes the goroutine that has written the text, and others that serve the same connection: they
// exist only because of the request.
func withoutOwnGoroutines(gs []goroutine) []goroutine {
	ours := map[uint64]bool{}
	byID := map[uint64]*goroutine{} // those that may be of the connection: few of all
	for i := range gs {
		g := &gs[i]
		if g.wroteText() {
			ours[g.id] = true
			byID[g.id] = g
		}
		if g.servesConnection() {
			byID[g.id] = g
			if _, known := byID[g.parent]; !known {
				byID[g.parent] = nil // found below
			}
		}
	}
	for i := range gs {
		if _, may := byID[gs[i].id]; may {
			byID[gs[i].id] = &gs[i]
		}
	}
	for id := range ours {
		for g := byID[id]; g.servesConnection() && byID[g.parent] != nil && !ours[g.parent]; g = byID[g.parent] {
			ours[g.parent] = true // HTTP/2 has a goroutine for each request, and time limits one for each handler
		}
	}
	for grown := len(ours) > 0; grown; {
		grown = false
		for _, g := range byID {
			if g != nil && g.servesConnection() && ours[g.parent] && !ours[g.id] {
				ours[g.id], grown = true, true
			}
		}
	}
	return slices.DeleteFunc(gs, func(g goroutine) bool { return ours[g.id] })
}

// servesConnection reports whether package net/http has created the goroutine for an existing connection.
func (g *goroutine) servesConnection() bool {
	return strings.HasPrefix(g.creator, "net/http.") && g.creator != "net/http.(*Server).Serve"
}
