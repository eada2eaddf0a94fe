package bench

import (
	"bytes"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"time"
)

// ownFrames begins the names of a worker's functions in a stack: what is below
// is the user's.
var ownFrames = reflect.TypeFor[Worker]().PkgPath() + ".(*Worker)."

// goroutineID is the number by which runtime.Stack calls the goroutine.
func goroutineID() string {
	var buf [64]byte
	_, rest, _ := bytes.Cut(buf[:runtime.Stack(buf[:], false)], []byte(" "))
	id, _, _ := bytes.Cut(rest, []byte(" "))
	return string(id)
}

// stuck says who does not come back, and what they do.
func stuck(workers []*Worker, grace time.Duration) error {
	dump := allStacks()
	var b strings.Builder
	for i, w := range workers {
		if i == maxStuck {
			fmt.Fprintf(&b, "; and %d more", len(workers)-i)
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "%s did not return within %v after the window closed%s", w.name(), grace, doing(dump, w.goid))
	}
	b.WriteString("; a body that waits for something must wait for w.Done, too, and an operation that takes this long needs bench.Grace")
	return fmt.Errorf("%s", b.String())
}

const (
	maxStuck  = 4       // workers that are named
	maxStacks = 4 << 20 // bytes of all stacks
	maxDepth  = 6       // frames that are told
)

func allStacks() string {
	for size := 64 << 10; ; size *= 4 {
		buf := make([]byte, size)
		if n := runtime.Stack(buf, true); n < size || size >= maxStacks {
			return string(buf[:n])
		}
	}
}

// doing finds a goroutine in a dump and tells what it waits for, and the calls
// from there up to its body: " (chan receive, in main.take (queue.go:12) <
// main.BenchmarkQueue.func2 (queue_test.go:30))".
func doing(dump, id string) string {
	_, rest, found := strings.Cut("\n\n"+dump, "\n\ngoroutine "+id+" [")
	if !found {
		return ""
	}
	text, _, _ := strings.Cut(rest, "\n\n")
	lines := strings.Split(text, "\n")
	state, _, _ := strings.Cut(lines[0], "]")
	state, _, _ = strings.Cut(state, ",") // how long is known
	var calls []string
	for i := 1; i+1 < len(lines) && len(calls) < maxDepth; i += 2 {
		if strings.HasPrefix(lines[i], ownFrames) || strings.HasPrefix(lines[i], "created by ") {
			break
		}
		calls = append(calls, frame(lines[i], lines[i+1]))
	}
	if len(calls) == 0 {
		return " (" + state + ")"
	}
	return " (" + state + ", in " + strings.Join(calls, " < ") + ")"
}

// frame is one call of a dump: "main.take(0x1, …)" and "\t/dir/queue.go:12 +0x1b".
func frame(function, place string) string {
	if i := strings.LastIndexByte(function, '('); i > 0 {
		function = function[:i]
	}
	place, _, _ = strings.Cut(strings.TrimSpace(place), " ")
	return fmt.Sprintf("%s (%s)", filepath.Base(function), filepath.Base(place))
}
