package sample

import (
	"io"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const crash = `goroutine 7 [chan receive, 3 minutes, locked to thread]:
main.(*T[...]).run(0xc000012000, {0x1, 0x2})
	/src/a b/main.go:12 +0x1d
main.main.func1(...)
	/src/main.go:9
created by main.main in goroutine 1
	/src/main.go:8 +0x66

goroutine 12 [runnable] {"k": "v"}:
main.deep()
	/src/main.go:30
...additional frames elided...

goroutine 13 [select (no cases) (scan)]:

goroutine 14 [syscall]:
syscall.Syscall(0x0)
	C:/go/src/syscall.go:5 +0x2
`

// parseGoroutines parses a whole answer.
func parseGoroutines(r io.Reader) ([]goroutine, error) {
	gs, _, err := parseAnswer(r, maxAnswer)
	return gs, err
}

func TestParseGoroutines(t *testing.T) {
	got, err := parseGoroutines(strings.NewReader(crash))
	if err != nil {
		t.Fatal(err)
	}
	want := []goroutine{
		{7, 1, &site{state: inWaiting, reason: "chan receive", frames: []frame{
			{name: "main.(*T[...]).run", file: "/src/a b/main.go", line: 12}, {name: "main.main.func1", file: "/src/main.go", line: 9}}, creator: "main.main"}},
		{12, 0, &site{state: inRunnable, frames: []frame{{name: "main.deep", file: "/src/main.go", line: 30}}, cut: true}},
		{13, 0, &site{state: inWaiting, reason: "select (no cases)", frames: []frame{}}},
		{14, 0, &site{state: inSyscall, frames: []frame{{name: "syscall.Syscall", file: "C:/go/src/syscall.go", line: 5}}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}

// TestAncestors: the stacks of those who have created a goroutine, which GODEBUG=tracebackancestors
// adds, are not its own.
func TestAncestors(t *testing.T) {
	got, err := parseGoroutines(strings.NewReader(ancestors(crash)))
	want, _ := parseGoroutines(strings.NewReader(crash))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v\nwant %+v", got, err, want)
	}
}

// ancestors adds, behind who has created a goroutine and where, who has created that.
func ancestors(text string) string {
	var b strings.Builder
	added := "[originating from goroutine 1]:\nmain.starter(...)\n\t/src/main.go:20 +0x1\ncreated by main.first\n\t/src/main.go:3 +0x2\n"
	created := false
	for line := range strings.Lines(text) {
		if created && !strings.HasPrefix(line, "\t") {
			b.WriteString(added)
		}
		created = strings.HasPrefix(line, "created by ") || created && strings.HasPrefix(line, "\t")
		b.WriteString(line)
	}
	return b.String()
}

// TestWithoutOurs: who serves the connection of the question is left out, over both HTTPs and
// behind a time limit; other connections stay, and what a handler has begun.
func TestWithoutOurs(t *testing.T) {
	g := func(id, parent, creator, call, state string) string {
		s := "goroutine " + id + " [" + state + "]:\n" + call + "()\n\t/src/x.go:1 +0x1\n"
		if creator != "" {
			s += "created by " + creator
			if parent != "" {
				s += " in goroutine " + parent
			}
			s += "\n\t/src/y.go:2 +0x2\n"
		}
		return s + "\n"
	}
	const serve, writes = "net/http.(*Server).Serve", "runtime/pprof.writeGoroutineStacks"
	others := g("1", "", "", "main.main", "IO wait") +
		g("20", "1", serve, "net/http.(*conn).serve", "IO wait") +
		g("21", "20", "net/http.(*connReader).startBackgroundRead", "net/http.(*connReader).backgroundRead", "IO wait")
	for name, text := range map[string]string{
		"http/1": g("30", "1", serve, writes, "running") + g("31", "30", "net/http.(*connReader).startBackgroundRead", "net/http.(*connReader).backgroundRead", "runnable"),
		"http/2": g("30", "1", serve, "net/http.(*http2serverConn).serve", "select") + g("31", "30", "net/http.(*http2serverConn).serve", "net/http.(*http2serverConn).readFrames", "IO wait") +
			g("32", "30", "net/http.(*http2serverConn).scheduleHandler", writes, "running"),
		"limit":  g("32", "30", "net/http.(*timeoutHandler).ServeHTTP", writes, "running") + g("30", "1", serve, "net/http.(*timeoutHandler).ServeHTTP", "select"),
		"begun":  g("30", "1", serve, writes, "running") + g("9", "30", "main.handle", "main.work", "runnable"),
		"old Go": g("30", "", serve, writes, "running"),
	} {
		gs, err := parseGoroutines(strings.NewReader(others + text))
		if err != nil {
			t.Fatal(err)
		}
		var ids []uint64
		for _, g := range gs {
			ids = append(ids, g.id)
		}
		want := []uint64{1, 20, 21}
		if name == "begun" {
			want = append(want, 9)
		}
		if !slices.Equal(ids, want) {
			t.Errorf("%s: %d, want %d", name, ids, want)
		}
	}
}

// TestOwnStacks: the text that this runtime writes is understood.
func TestOwnStacks(t *testing.T) {
	stop := make(chan struct{})
	defer close(stop)
	go func() { <-stop }()
	buf := make([]byte, 1<<20)
	text := string(buf[:runtime.Stack(buf, true)])
	gs, err := parseGoroutines(strings.NewReader(text))
	if err != nil || len(gs) == 0 {
		t.Fatalf("%d, %v\n%s", len(gs), err, text)
	}
	for _, g := range gs {
		for _, f := range g.frames {
			if f.name == "" || f.file == "" || f.line == 0 {
				t.Errorf("%+v in\n%s", f, text)
			}
		}
	}
}

func FuzzParseGoroutines(f *testing.F) {
	f.Add(crash)
	f.Fuzz(func(t *testing.T, text string) {
		gs, _ := parseGoroutines(strings.NewReader(text))
		w := &watcher{at: map[string]int{}, reasons: map[string]int{}}
		w.addSample(0, 1, gs)
		w.addSample(10, 1, gs)
		if n := len(w.seen.samples); n != 2 {
			t.Fatal(n)
		}
		more, _ := parseGoroutines(strings.NewReader(ancestors(text)))
		if !reflect.DeepEqual(gs, more) {
			t.Errorf("%+v\nwith ancestors %+v", gs, more)
		}
	})
}

// TestParseGoroutinesLimits: what takes little room in an answer and much in memory has a limit, too.
func TestParseGoroutinesLimits(t *testing.T) {
	for text, want := range map[string]string{
		"goroutine 1 [sleep]:\n" + strings.Repeat("f\n", 2*maxFrames+1): "has more than",
		"goroutine 1 [sleep]:\n" + strings.Repeat("f", maxLine+1):       "a line has more than",
	} {
		if _, err := parseGoroutines(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
