package sample

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
)

// goroutine is one of the text that the runtime prints of all: with runtime.Stack, in a
// crash, and as net/http/pprof's goroutine?debug=2.
type goroutine struct {
	id     uint64
	state  uint64 // inRunning …, inWaiting
	reason string // of inWaiting
	frames []frame
	cut    bool
}

// maxLine bounds a line of that text; arguments and paths are in it.
const maxLine = 1 << 20

// parseGoroutines reads that text. The goroutine that has written it is not in the
// result.
func parseGoroutines(r io.Reader) ([]goroutine, error) {
	var out []goroutine
	var at *goroutine
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, maxLine)
	for sc.Scan() {
		line := sc.Bytes()
		switch {
		case len(line) == 0:
			at = nil
		case bytes.HasPrefix(line, []byte("goroutine ")):
			g, ok := parseHead(string(line))
			if !ok {
				return out, errors.New("it is not the text of net/http/pprof: " + strconv.Quote(clip(string(line))))
			}
			out = append(out, g)
			at = &out[len(out)-1]
		case at == nil:
			return out, errors.New("it is not the text of net/http/pprof: " + strconv.Quote(clip(string(line))))
		default:
			at.line(string(line))
		}
	}
	if err := sc.Err(); err != nil {
		return out, err
	}
	kept := out[:0]
	for _, g := range out {
		if !g.writes() {
			kept = append(kept, g)
		}
	}
	return kept, nil
}

func clip(s string) string {
	const most = 60
	if len(s) > most {
		return s[:most]
	}
	return s
}

// parseHead reads a line such as "goroutine 7 [chan receive, 3 minutes, locked to thread]:".
func parseHead(line string) (g goroutine, ok bool) {
	rest := strings.TrimPrefix(line, "goroutine ")
	digits, rest, _ := strings.Cut(rest, " ")
	id, err := strconv.ParseUint(digits, 10, 64)
	from, to := strings.Index(rest, "["), strings.Index(rest, "]")
	if err != nil || from < 0 || to < from {
		return g, false
	}
	state, _, _ := strings.Cut(rest[from+1:to], ",")
	state = strings.TrimSuffix(state, " (scan)")
	g.id = id
	switch state {
	case "running":
		g.state = inRunning
	case "runnable", "preempted":
		g.state = inRunnable
	case "syscall":
		g.state = inSyscall
	default:
		g.state, g.reason = inWaiting, state
	}
	return g, true
}

// line reads a line below: a call, its place, or where the goroutine was created.
func (g *goroutine) line(s string) {
	switch {
	case strings.HasPrefix(s, "\t"):
		if n := len(g.frames); n > 0 && g.frames[n-1].file == "" {
			g.frames[n-1].file, g.frames[n-1].line = parsePlace(s)
		}
	case strings.HasPrefix(s, "created by "):
		g.frames = append(g.frames, frame{name: createdBy}) // takes the place that follows
	case strings.HasPrefix(s, "..."):
		g.cut = true
	default:
		name := s
		if i := strings.LastIndexByte(s, '('); i > 0 {
			name = s[:i]
		}
		g.frames = append(g.frames, frame{name: name})
	}
}

// createdBy is no function.
const createdBy = "\x00created by"

// parsePlace reads a line such as "\t/src/main.go:12 +0x1d".
func parsePlace(s string) (file string, line int) {
	s = strings.TrimPrefix(s, "\t")
	if i := strings.LastIndex(s, " +0x"); i >= 0 {
		s = s[:i]
	}
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0
	}
	line, err := strconv.Atoi(s[i+1:])
	if err != nil {
		return s, 0
	}
	return s[:i], line
}

// stack is where it is, without who created it.
func (g *goroutine) stack() []frame {
	if n := len(g.frames); n > 0 && g.frames[n-1].name == createdBy {
		return g.frames[:n-1]
	}
	return g.frames
}

// writes tells the goroutine that has written the text.
func (g *goroutine) writes() bool {
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
