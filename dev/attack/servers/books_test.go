//go:build linux

package servers

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/dev/attack/mutate"
)

// TestCheck: books that add up pass, and each way in which they do not is found.
func TestCheck(t *testing.T) {
	good := `{"load":{"scheduled":100,"started":90,"operations":80,"errors":10,"dropped":4,"unsent":6,"unfinished":10},
		"latencies":[{"name":"READ","kind":"response","count":40,"unanswered":9},{"name":"UPDATE","kind":"response","count":30,"unanswered":8},{"kind":"service","count":1}]}`
	if text, err := check(good, 70); text != "" || err != nil {
		t.Errorf("good books: %q, %v", text, err)
	}
	for _, c := range []struct{ old, now, want string }{
		{`"scheduled":100`, `"scheduled":101`, "101 scheduled"},
		{`"operations":80`, `"operations":81`, "90 started"},
		{`"errors":10`, `"errors":9`, "server read 70"},
		{`"count":40`, `"count":39`, "69 operations have a response time, but 70 succeeded"},
		{`"unanswered":9`, `"unanswered":10`, "18 response times are of operations without an answer"},
		{`"errors":10`, `"errors":81`, "81 errors"},
		{`"load"`, `"other"`, noCounts},
	} {
		if text, err := check(strings.Replace(good, c.old, c.now, 1), 70); !strings.Contains(text, c.want) || err != nil {
			t.Errorf("%s: %q, %v, want %q", c.now, text, err, c.want)
		}
	}
	closed := `{"load":{"closed_loop":true,"scheduled":3,"started":3,"operations":3},"latencies":[{"kind":"service","count":3}]}`
	if text, err := check(closed, 3); text != "" || err != nil {
		t.Errorf("closed loop: %q, %v", text, err)
	}
}

// TestRedisRequests: commands are read whole, however they are cut, and rubbish ends the connection.
func TestRedisRequests(t *testing.T) {
	in := bufio.NewReaderSize(strings.NewReader("*1\r\n$4\r\nPING\r\n*4\r\n$5\r\nHMGET\r\n$1\r\nk\r\n$2\r\nf1\r\n$2\r\nf2\r\nGET /\r\n"), 16)
	for _, want := range []string{"+PONG\r\n", "*2\r\n$5\r\nvalue\r\n$5\r\nvalue\r\n"} {
		if got, err := readRedis(in); string(got) != want || err != nil {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
	if got, err := readRedis(in); err == nil {
		t.Errorf("rubbish was answered with %q", got)
	}
}

// TestFailures: an error is one of its protocol, whatever its text, and carries the text as it is.
func TestFailures(t *testing.T) {
	const text = "a\x1b[2J\r\nb"
	r, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(failHTTP(text))), nil)
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(r.Body); string(body) != text || err != nil || r.StatusCode != 500 || !strings.Contains(r.Status, "\x1b[2J") {
		t.Errorf("%q, %q, %v", r.Status, body, err)
	}
	if got := string(failRedis(text)); got != "-ERR a\x1b[2J  b\r\n" {
		t.Errorf("%q", got)
	}
}

// TestArguments: loads are shown in every format, with and without progress.
func TestArguments(t *testing.T) {
	s := &server{illness: illnesses[0]}
	if err := s.start(); err != nil {
		t.Fatal(err)
	}
	defer s.close()
	formats, progress := map[string]bool{}, map[string]bool{}
	for n := range 200 {
		args, format := (&attack{protocol: "redis"}).arguments(mutate.Seed(1, "redis", n), s)
		formats[format] = true
		progress[args[slices.Index(args, "--progress")+1]] = true
		if args[slices.Index(args, "--format")+1] != format {
			t.Errorf("%q is not shown as %s", args, format)
		}
	}
	if len(formats) != 5 || len(progress) != 2 {
		t.Errorf("formats %v, progress %v", formats, progress)
	}
}
