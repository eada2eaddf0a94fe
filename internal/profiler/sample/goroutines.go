package sample

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/pprofio"
)

// goroutine is a goroutine in the text of runtime.Stack, of a crash, and of net/http/pprof's goroutine?debug=2.
type goroutine struct {
	id      uint64
	state   uint64 // inRunning …, inWaiting
	reason  string // of inWaiting
	frames  []frame
	cut     bool
	creator string // the function that has created it
	ended   bool   // the last line about itself was read
	parent  uint64 // the goroutine that has created it; 0: unknown
}

// Limits of that text: bytes of a line, and calls of a goroutine.
const (
	maxLine   = 1 << 20
	maxFrames = 1 << 20
)

// parseGoroutines parses that text. It omits the goroutine that has written it and others of its connection.
func parseGoroutines(r io.Reader) ([]goroutine, error) {
	var out []goroutine
	var at *goroutine
	frames := 0
	shared := texts{}
	defer func() { clear(shared) }()
	sc := bufio.NewScanner(pprofio.Limit(r, maxAnswer, "the text"))
	sc.Buffer(nil, maxLine)
	for sc.Scan() {
		line := sc.Bytes()
		switch {
		case len(line) == 0:
			at = nil
		case bytes.HasPrefix(line, []byte("goroutine ")):
			g, ok := parseHead(string(line))
			if !ok {
				return out, errors.New("not the text of net/http/pprof: " + strconv.Quote(clip(string(line))))
			}
			out = append(out, g)
			at = &out[len(out)-1]
		case at == nil:
			return out, errors.New("not the text of net/http/pprof: " + strconv.Quote(clip(string(line))))
		default:
			if frames++; frames > 2*maxFrames {
				return out, fmt.Errorf("the text has more than %d calls", maxFrames)
			}
			at.line(line, shared)
		}
	}
	if err := sc.Err(); errors.Is(err, bufio.ErrTooLong) {
		return out, fmt.Errorf("not the text of net/http/pprof: a line has more than %d bytes", maxLine)
	} else if err != nil {
		return out, err
	}
	return withoutOwnGoroutines(out), nil
}

func clip(s string) string {
	const most = 60
	if len(s) > most {
		return s[:most]
	}
	return s
}

// parseHead parses a line such as "goroutine 7 [chan receive, 3 minutes, locked to thread]:".
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
		g.state, g.reason = inWaiting, strings.Clone(state)
	}
	return g, true
}

// texts has each name and file once: most goroutines of a program have the same few stacks. It copies them, so that long
// lines can be freed.
type texts map[string]string

func (t texts) of(b []byte) string {
	s, ok := t[string(b)] // allocates nothing
	if !ok {
		s = string(b)
		t[s] = s
	}
	return s
}

// line parses a line that is not a head: a call, its position, or the goroutine's creator.
func (g *goroutine) line(line []byte, shared texts) {
	switch s := string(line); {
	case g.ended: // the position of its creation, and what GODEBUG=tracebackancestors adds: the stacks of its ancestors
	case strings.HasPrefix(s, "\t"):
		if n := len(g.frames); n > 0 && g.frames[n-1].file == "" {
			file, at := parsePlace(s)
			g.frames[n-1].file, g.frames[n-1].line = shared.of([]byte(file)), at
		}
	case strings.HasPrefix(s, "created by "):
		creator, parent := parseCreator(s)
		g.creator, g.parent = shared.of([]byte(creator)), parent
		g.ended = true
	case strings.HasPrefix(s, "..."):
		g.cut = true
	default:
		name := s
		if i := strings.LastIndexByte(s, '('); i > 0 {
			name = s[:i]
		}
		if g.frames == nil {
			g.frames = make([]frame, 0, 4) // as many as most have that wait
		}
		g.frames = append(g.frames, frame{name: shared.of([]byte(name))})
	}
}

// parseCreator parses a line such as "created by main.main in goroutine 1".
func parseCreator(s string) (name string, id uint64) {
	name, digits, _ := strings.Cut(strings.TrimPrefix(s, "created by "), " in goroutine ")
	if id, err := strconv.ParseUint(digits, 10, 64); err == nil {
		return strings.Clone(name), id
	}
	return strings.Clone(name), 0
}

// parsePlace parses a line such as "\t/src/main.go:12 +0x1d".
func parsePlace(s string) (file string, line int) {
	s = strings.TrimPrefix(s, "\t")
	if i := strings.LastIndex(s, " +0x"); i >= 0 {
		s = s[:i]
	}
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return strings.Clone(s), 0
	}
	line, err := strconv.Atoi(s[i+1:])
	if err != nil {
		return strings.Clone(s), 0
	}
	return strings.Clone(s[:i]), line
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
	byID := make(map[uint64]*goroutine, len(gs))
	ours := map[uint64]bool{}
	for i := range gs {
		g := &gs[i]
		byID[g.id] = g
		if g.wroteText() {
			ours[g.id] = true
		}
	}
	for id := range ours {
		for g := byID[id]; g.servesConnection() && byID[g.parent] != nil && !ours[g.parent]; g = byID[g.parent] {
			ours[g.parent] = true // HTTP/2 has a goroutine for each request, and time limits one for each handler
		}
	}
	for grown := len(ours) > 0; grown; {
		grown = false
		for i := range gs {
			if g := &gs[i]; g.servesConnection() && ours[g.parent] && !ours[g.id] {
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
