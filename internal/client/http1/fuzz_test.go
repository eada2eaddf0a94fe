package http1

import (
	"bufio"
	"bytes"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// feed is a connection from which a text is read, in pieces of random size, and then its end.
type feed struct {
	net.Conn
	text   []byte
	random *rand.Rand
	read   int
}

func (f *feed) SetDeadline(time.Time) error { return nil }

func (f *feed) Read(b []byte) (int, error) {
	if f.read == len(f.text) {
		return 0, io.EOF
	}
	most := 1 << f.random.IntN(14)
	n := copy(b, f.text[f.read:min(len(f.text), f.read+1+f.random.IntN(most))])
	f.read += n
	return n, nil
}

// outcome is what a text was read as.
type outcome struct {
	failed      bool
	status      int
	body        int64
	end         int  // of the response
	mayBeReused bool // the connection, as far as the response says
}

// standard reads a response as net/http does.
func standard(text []byte, method string) outcome {
	left := bytes.NewReader(text)
	buffered := bufio.NewReader(left)
	for {
		r, err := http.ReadResponse(buffered, &http.Request{Method: method})
		if err != nil || strings.ContainsAny(r.Status[:1], "+-") { // a sign is no digit, for us
			return outcome{failed: true}
		}
		if r.StatusCode/100 == 1 && r.StatusCode != http.StatusSwitchingProtocols {
			continue
		}
		n, err := io.Copy(io.Discard, r.Body)
		if err != nil || r.Body.Close() != nil {
			return outcome{failed: true}
		}
		return outcome{status: r.StatusCode, body: n, end: len(text) - left.Len() - buffered.Buffered(), mayBeReused: !r.Close && r.StatusCode > 199}
	}
}

func ours(text []byte, method string, random *rand.Rand) outcome {
	f := &feed{text: text, random: random}
	c := New(f)
	c.reusable, c.isHead = false, method == http.MethodHead
	if err := c.Wait(); err != nil {
		return outcome{failed: true}
	}
	r, err := c.Receive(1 << 62)
	if err != nil {
		return outcome{failed: true}
	}
	o := outcome{status: r.Status, body: r.Body, end: f.read - (c.w - c.r), mayBeReused: c.Settle()}
	if c.r < c.w {
		o.mayBeReused = standard(text, method).mayBeReused // there is data behind the response, so the connection's state is unknown
	}
	return o
}

func compare(t *testing.T, text []byte, method string, random *rand.Rand) outcome {
	t.Helper()
	got, want := ours(text, method, random), standard(text, method)
	if got != want {
		t.Fatalf("%s, answered by %q:\n%+v\nnet/http: %+v", method, text, got, want)
	}
	return got
}

func FuzzReceive(f *testing.F) {
	for _, text := range examples {
		f.Add([]byte(text), false, uint64(1))
		f.Add([]byte(text), true, uint64(2))
	}
	f.Fuzz(func(t *testing.T, text []byte, isHead bool, seed uint64) {
		method := http.MethodGet
		if isHead {
			method = http.MethodHead
		}
		compare(t, text, method, rand.New(rand.NewPCG(seed, 0)))
	})
}

var examples = []string{
	"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
	"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello and more",
	"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
	"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
	"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 05\r\n\r\nhello",
	"HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n",
	"HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775808\r\n\r\n",
	"HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\nhello",
	"HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n",
	"HTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\nhello",
	"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n  \r\n\r\nhello",
	"HTTP/1.1 200 OK\nContent-Length: 5\n\nhello",
	"HTTP/1.1 200\r\n\r\n",
	"HTTP/1.1  200 OK\r\n\r\nuntil the end",
	"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n",
	"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
	"HTTP/0.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\nContent-Length: 3\r\n\r\n5;a=\"b\"\r\nhello\r\n00\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: A, B\r\n\r\n5 \r\nhello\r\n0\r\nA: b\r\nB: c\r\n d\r\n\r\nmore",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: Content-Length\r\n\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\nmore\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\nhello\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + strings.Repeat("1;"+strings.Repeat("x", 1000)+"\r\na\r\n", 30) + "0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0;" + strings.Repeat("x", 4092) + "\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0;" + strings.Repeat("x", 4093) + "\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: " + strings.Repeat("x", 4089) + "\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: " + strings.Repeat("x", 4090) + "\r\n\r\n",
	"HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n",
	"HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n",
	"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 0\r\n\r\n",
	"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nx",
	"HTTP/1.1 200 OK\r\n A: b\r\n\r\n",
	"HTTP/1.1 200 OK\r\nA: b\x00\r\n\r\n",
	"HTTP/1.1 200 OK\r\nA(: b\r\n\r\n",
	"HTTP/1.1 200 OK\r\n: b\r\n\r\n",
	"HTTP/1.1 +20 OK\r\n\r\n",
	"HTTP/1.1 2x0 OK\r\n\r\n",
	"HTTP/11 200 OK\r\n\r\n",
	"\r\nHTTP/1.1 200 OK\r\n\r\n",
	"HTTP/1.1 200 OK\r\nA: " + strings.Repeat("long ", 3000) + "\r\nContent-Length: 1\r\n\r\nx",
}
