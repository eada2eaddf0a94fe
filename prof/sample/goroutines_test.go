package sample

import (
	"reflect"
	"runtime"
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

func TestParseGoroutines(t *testing.T) {
	got, err := parseGoroutines(strings.NewReader(crash))
	if err != nil {
		t.Fatal(err)
	}
	created := frame{name: createdBy, file: "/src/main.go", line: 8}
	want := []goroutine{
		{id: 7, state: inWaiting, reason: "chan receive", frames: []frame{
			{name: "main.(*T[...]).run", file: "/src/a b/main.go", line: 12}, {name: "main.main.func1", file: "/src/main.go", line: 9}, created}},
		{id: 12, state: inRunnable, frames: []frame{{name: "main.deep", file: "/src/main.go", line: 30}}, cut: true},
		{id: 13, state: inWaiting, reason: "select (no cases)"},
		{id: 14, state: inSyscall, frames: []frame{{name: "syscall.Syscall", file: "C:/go/src/syscall.go", line: 5}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if s := got[0].stack(); len(s) != 2 || s[1].name != "main.main.func1" {
		t.Errorf("%+v", s)
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
		w.look(0, 1, gs)
		w.look(10, 1, gs)
		if n := len(w.seen.looks); n != 2 {
			t.Fatal(n)
		}
		for _, g := range gs {
			for _, fr := range g.stack() {
				if fr.name == createdBy && len(g.frames) < 2 {
					t.Errorf("%+v", g)
				}
			}
		}
	})
}
