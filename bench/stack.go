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

// ownFrames is the prefix of this package's worker methods in a stack; other frames are the user's.
var ownFrames = reflect.TypeFor[Worker]().PkgPath() + ".(*Worker)."

// goroutineID returns the goroutine's number in runtime.Stack.
func goroutineID() string {
	var buf [stackHeadBytes]byte
	return string(goroutineNumber(buf[:]))
}

// stackHeadBytes is how much of a stack has the number for sure.
const stackHeadBytes = 64

// goroutineNumber returns the goroutine's number, as a part of buf.
func goroutineNumber(buf []byte) []byte {
	_, rest, _ := bytes.Cut(buf[:runtime.Stack(buf, false)], []byte(" "))
	id, _, _ := bytes.Cut(rest, []byte(" "))
	return id
}

// hungWorkers returns an error that names workers that do not return, with their stacks.
func hungWorkers(workers []*Worker, grace time.Duration) error {
	dump := allStacks()
	var b strings.Builder
	for i, w := range workers {
		if i == maxHung {
			fmt.Fprintf(&b, "; and %d more", len(workers)-i)
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "%s did not return within %v after the window closed%s", w.name(), grace, describeGoroutine(dump, w.goroutine))
	}
	b.WriteString("; a body that waits must also wait for w.Done, and an operation that takes this long needs bench.Grace")
	return fmt.Errorf("%s", b.String())
}

const (
	maxHung   = 4       // workers named in the error
	maxStacks = 4 << 20 // bytes of all stacks
	maxDepth  = 6       // frames per worker
)

func allStacks() string {
	for size := 64 << 10; ; size *= 4 {
		buf := make([]byte, size)
		if n := runtime.Stack(buf, true); n < size || size >= maxStacks {
			return string(buf[:n])
		}
	}
}

// describeGoroutine returns the state of a goroutine in a dump and its calls up to the body: " (chan receive,
// in main.take (queue.go:12) < main.BenchmarkQueue.func2 (queue_test.go:30))".
func describeGoroutine(dump, id string) string {
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

// frame formats one call of a dump, "main.take(0x1, …)" and "\t/dir/queue.go:12 +0x1b".
func frame(function, place string) string {
	if i := strings.LastIndexByte(function, '('); i > 0 {
		function = function[:i]
	}
	place, _, _ = strings.Cut(strings.TrimSpace(place), " ")
	return fmt.Sprintf("%s (%s)", filepath.Base(function), filepath.Base(place))
}
