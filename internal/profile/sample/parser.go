package sample

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// goroutineParser parses the text of goroutines line by line. What it keeps of a goroutine in a known place is its
// numbers.
type goroutineParser struct {
	out    []goroutine
	places map[string]*site // by what the text says of them
	kept   int              // calls of all places
	shared texts

	inside bool // a goroutine is being read
	now    goroutine
	at     site   // of now; its frames are reused
	key    []byte // of at; it is reused
	ended  bool   // the last line about itself was read
}

// line parses a line.
func (p *goroutineParser) line(line []byte) error {
	switch {
	case len(line) == 0:
		p.end()
	case bytes.HasPrefix(line, []byte("goroutine ")):
		p.end()
		if !p.head(line) {
			return errors.New("not the text of net/http/pprof: " + strconv.Quote(clip(string(line))))
		}
	case !p.inside:
		return errors.New("not the text of net/http/pprof: " + strconv.Quote(clip(string(line))))
	default:
		p.about(line)
		if p.kept+len(p.at.frames) > maxFrames {
			return fmt.Errorf("the text has more than %d calls in different places", maxFrames)
		}
	}
	return nil
}

// head parses a line such as "goroutine 7 [chan receive, 3 minutes, locked to thread]:".
func (p *goroutineParser) head(line []byte) bool {
	digits, rest, _ := bytes.Cut(line[len("goroutine "):], []byte(" "))
	id, ok := parseNumber(digits)
	from, to := bytes.IndexByte(rest, '['), bytes.IndexByte(rest, ']')
	if !ok || from < 0 || to < from {
		return false
	}
	state, _, _ := bytes.Cut(rest[from+1:to], []byte(","))
	state = bytes.TrimSuffix(state, []byte(" (scan)"))
	p.inside, p.ended = true, false
	p.now = goroutine{id: id}
	p.at = site{frames: p.at.frames[:0]}
	switch string(state) {
	case "running":
		p.at.state = inRunning
	case "runnable", "preempted":
		p.at.state = inRunnable
	case "syscall":
		p.at.state = inSyscall
	default:
		p.at.state, p.at.reason = inWaiting, p.shared.of(state)
	}
	return true
}

// about parses a line that is not a head: a call, its position, or the goroutine's creator.
func (p *goroutineParser) about(line []byte) {
	switch at := &p.at; {
	case p.ended: // the position of its creation, and what GODEBUG=tracebackancestors adds: the stacks of its ancestors
	case line[0] == '\t':
		if n := len(at.frames); n > 0 && at.frames[n-1].file == "" {
			file, number := parsePlace(line)
			at.frames[n-1].file, at.frames[n-1].line = p.shared.of(file), number
		}
	case bytes.HasPrefix(line, []byte("created by ")):
		creator, parent := parseCreator(line)
		at.creator, p.now.parent = p.shared.of(creator), parent
		p.ended = true
	case bytes.HasPrefix(line, []byte("...")):
		at.cut = true
	default:
		name := line
		if i := bytes.LastIndexByte(line, '('); i > 0 {
			name = line[:i]
		}
		at.frames = append(at.frames, frame{name: p.shared.of(name)})
	}
}

// end adds the goroutine that was read.
func (p *goroutineParser) end() {
	if !p.inside {
		return
	}
	p.inside = false
	p.key = p.at.appendKey(p.key[:0])
	known, ok := p.places[string(p.key)] // allocates nothing
	if !ok {
		x := p.at
		x.frames = slices.Clone(p.at.frames)
		known = &x
		p.places[string(p.key)] = known
		p.kept += len(x.frames)
	}
	p.now.site = known
	p.out = append(p.out, p.now)
}

// done returns the goroutines that were read.
func (p *goroutineParser) done() []goroutine {
	p.end()
	return p.out
}

// appendKey appends a text that is the same for the same places only.
func (x *site) appendKey(b []byte) []byte {
	b = strconv.AppendUint(b, x.state, 10)
	b = append(append(append(b, ' '), x.reason...), '\n')
	b = append(append(strconv.AppendBool(b, x.cut), x.creator...), '\n')
	return appendFrames(b, x.frames)
}

// appendFrames appends a line for each frame.
func appendFrames(b []byte, frames []frame) []byte {
	for i := range frames {
		f := &frames[i]
		b = append(append(b, f.name...), '\n')
		b = append(append(b, f.file...), ':')
		b = append(strconv.AppendInt(b, int64(f.line), 10), '\n')
	}
	return b
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

// parseCreator parses a line such as "created by main.main in goroutine 1".
func parseCreator(line []byte) (name []byte, id uint64) {
	name, digits, _ := bytes.Cut(bytes.TrimPrefix(line, []byte("created by ")), []byte(" in goroutine "))
	id, _ = parseNumber(digits)
	return name, id
}

// parsePlace parses a line such as "\t/src/main.go:12 +0x1d".
func parsePlace(line []byte) (file []byte, number int) {
	line = bytes.TrimPrefix(line, []byte("\t"))
	if i := bytes.LastIndex(line, []byte(" +0x")); i >= 0 {
		line = line[:i]
	}
	i := bytes.LastIndexByte(line, ':')
	if i < 0 {
		return line, 0
	}
	n, ok := parseNumber(line[i+1:])
	if !ok || n > 1<<31 {
		return line, 0
	}
	return line[:i], int(n)
}

// parseNumber parses digits. It allocates nothing.
func parseNumber(b []byte) (uint64, bool) {
	n, err := strconv.ParseUint(string(b), 10, 64)
	return n, err == nil
}
