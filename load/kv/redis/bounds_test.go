package redis

import (
	"bytes"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// hostile are answers that announce too much, with what is said of them.
var hostile = map[string]string{
	"*2147483647\r\n$99999999999\r\n":               "an array of 2147483647 elements: is it Redis?",
	"$99999999999\r\n":                              "a string of 99999999999 bytes: is it Redis?",
	"$536870913\r\n":                                "a string of 536870913 bytes",
	"*99999999999999999999999\r\n":                  "elements: is it Redis?",
	"*2\r\n$3\r\n*9\n\r\n*1048576\r\n":              "an array of 1048576 elements",
	strings.Repeat("*1000000\r\n", 2):               "an array of 1000000 elements",
	strings.Repeat("*1\r\n", maxDepth+1):            "more than 32 arrays in each other",
	"-ERR " + strings.Repeat("x", maxLine) + "\r\n": "a line of more than 1048576 bytes",
}

// TestHostileServer: what a server announces is not allocated, and the error says what it was.
func TestHostileServer(t *testing.T) {
	for answer, want := range hostile {
		addr := servers.Fake(t, func(c net.Conn) {
			c.Read(make([]byte, 64))
			io.WriteString(c, answer)
		})
		_, err := Open(ctx, settings(kv.Properties{"redis.addr": addr}))
		if err == nil || !strings.Contains(err.Error(), want) || load.Class(err) != load.ClassProtocol || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.40q: %v of class %s, want %s", answer, err, load.Class(err), want)
		}
	}
}

// friendly is a stream of answers at and below the limits.
const friendly = "+OK\r\n:7\r\n-ERR no\r\n$-1\r\n*-1\r\n*0\r\n$0\r\n\r\n$14\r\n*2147483647\r\n\r\n\r\n" +
	"*3\r\n*2\r\n$1\r\na\r\n:-1\r\n*0\r\n$2\r\n\r\n\r\n*1048576\r\n"

// TestBoundsOfOneAnswer: an answer that was read counts no more in the next.
func TestBoundsOfOneAnswer(t *testing.T) {
	var h headers
	for range 3 {
		text := friendly + strings.Repeat(":1\r\n", maxElements)
		if n, err := h.follow([]byte(text)); n != len(text) || err != nil {
			t.Fatalf("%d of %d bytes, %v", n, len(text), err)
		}
		if h.pending != 0 || h.depth != 0 {
			t.Fatalf("%d elements are yet to come of %d arrays", h.pending, h.depth)
		}
	}
	if n := testing.AllocsPerRun(10, func() {
		var h headers
		h.follow([]byte(friendly))
	}); n > 1 { // the bytes of the text
		t.Errorf("%v allocations", n)
	}
}

// pieces is a connection whose reads have the lengths of cuts in turn.
type pieces struct {
	net.Conn
	rest []byte
	cuts []byte
	i    int
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		return 0, io.EOF
	}
	n := len(p.rest)
	if len(p.cuts) > 0 {
		n = 1 + int(p.cuts[p.i%len(p.cuts)])
		p.i++
	}
	n = copy(b, p.rest[:min(n, len(p.rest))])
	p.rest = p.rest[n:]
	return n, nil
}

// FuzzBounded: however a stream is cut up, the same of it is read, with the same error at the end, which stays.
func FuzzBounded(f *testing.F) {
	for answer := range hostile {
		if len(answer) < 1<<10 {
			f.Add([]byte(answer), []byte{0})
			f.Add([]byte(friendly+answer), []byte{3, 0, 9})
		}
	}
	f.Fuzz(func(t *testing.T, stream, cuts []byte) {
		whole, wholeErr := io.ReadAll(&bounded{Conn: &pieces{rest: stream}})
		cut := &bounded{Conn: &pieces{rest: stream, cuts: cuts}}
		parts, err := io.ReadAll(cut)
		if !bytes.Equal(whole, parts) || (err == nil) != (wholeErr == nil) || err != nil && err.Error() != wholeErr.Error() {
			t.Fatalf("at once %d bytes, %v; in pieces %d bytes, %v", len(whole), wholeErr, len(parts), err)
		}
		if !bytes.HasPrefix(stream, whole) || err == nil && len(whole) != len(stream) {
			t.Fatalf("%q is read as %q", stream, whole)
		}
		if n, again := cut.Read(make([]byte, 9)); err != nil && (n != 0 || again != err) {
			t.Fatalf("after %v: %d bytes, %v", err, n, again)
		}
	})
}
