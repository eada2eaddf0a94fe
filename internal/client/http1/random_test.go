package http1

import (
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
)

// TestRandom compares with net/http responses that are put together at random, most of them nearly right.
func TestRandom(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	good, bad := 0, 0
	for range 30_000 {
		if compare(t, []byte(response(random)), pick(random, http.MethodGet, http.MethodGet, http.MethodHead), random).failed {
			bad++
		} else {
			good++
		}
	}
	if good < 3000 || bad < 3000 {
		t.Errorf("%d responses and %d errors: one of both is hardly tested", good, bad)
	}
}

func pick(random *rand.Rand, of ...string) string { return of[random.IntN(len(of))] }

// response returns interim responses and one at the end.
func response(random *rand.Rand) string {
	var b strings.Builder
	for random.IntN(8) == 0 {
		b.WriteString("HTTP/1.1 " + pick(random, "100 Continue", "102 x", "103 Early Hints") + "\r\n")
		fields(&b, random, 2)
		b.WriteString("\r\n")
	}
	b.WriteString(pick(random, "HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/0.0", "HTTP/0.9", "HTTP/2.0") + " ")
	b.WriteString(pick(random, "200 OK", "200 OK", "200 OK", "204 x", "304 x", "101 x", "404", "500 a b c", " 200 OK", "099 x", "20 OK"))
	b.WriteString(end(random))
	fields(&b, random, 5)
	b.WriteString(end(random))
	content(&b, random)
	text := b.String()
	switch random.IntN(6) {
	case 0:
		text = text[:random.IntN(len(text)+1)]
	case 1:
		i := random.IntN(len(text))
		text = text[:i] + string(rune(random.IntN(256))) + text[i+1:]
	}
	return text
}

// end returns the end of a line, seldom a wrong one.
func end(random *rand.Rand) string {
	if random.IntN(40) == 0 {
		return pick(random, "", "\n", "\r\r\n", " \r\n")
	}
	return "\r\n"
}

func fields(b *strings.Builder, random *rand.Rand, most int) {
	for range random.IntN(most + 1) {
		b.WriteString(pick(random,
			"Content-Length: 5", "content-length:5 ", "Content-Length: 5", "Content-Length: 11", "Content-Length: 05", "Content-Length: x",
			"Transfer-Encoding: chunked", "Transfer-Encoding: chunked", "transfer-encoding: CHUNKED", "Transfer-Encoding: gzip", "Transfer-Encoding: chunKed",
			"Connection: close", "Connection: keep-alive", "Connection: x,\tCLOSE ,y", "Trailer: A", "Trailer: a, content-length",
			"A: b", "A b: c", "A:", "A: ü", "No-Colon", "Content-Length:\r\n 5", "Transfer-Encoding:\r\n\tchunked", "A: b\r\n \r\n c: d", "X: "+strings.Repeat("y", random.IntN(9000))))
		b.WriteString(end(random))
	}
}

// content appends a body, and sometimes more.
func content(b *strings.Builder, random *rand.Rand) {
	if random.IntN(2) == 0 {
		b.WriteString("hello")
		b.WriteString(pick(random, "", "", " world", "HTTP/1.1 200 OK\r\n\r\n"))
		return
	}
	for range random.IntN(4) {
		b.WriteString(pick(random, "5", "5", "05", "0005;x", "5 ", "", "5;"+strings.Repeat("z", random.IntN(5000))) + end(random) + "hello" + end(random))
	}
	b.WriteString(pick(random, "0", "000", "0;a=b") + end(random))
	for range random.IntN(2) * random.IntN(3) {
		b.WriteString(pick(random, "A: b", "Content-Length: 7", "A: b\r\n c", "bad", "A: "+strings.Repeat("b", random.IntN(5000))) + end(random))
	}
	b.WriteString(end(random))
	b.WriteString(pick(random, "", "", "", "more"))
}
