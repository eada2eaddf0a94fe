package bench

import (
	"bytes"
	"encoding/json"
	"os"
	"strconv"
	"time"

	"github.com/tarebench/tare/record"
)

// pipeVar is the environment variable in which tare gives the number of an open
// pipe for record lines. The format is that of package record; the lines that
// it has no types for are in lines.go.
const pipeVar = "TARE_FD"

// A speaker sends record lines to the tare that has started this process. Lines
// are kept until flush, which is called between windows only. It never fails and
// never blocks for long: a benchmark must not depend on who listens.
type speaker struct {
	fd    int // -1: nobody listens, or not any more
	text  bytes.Buffer
	lines *record.Writer
}

// flushTime bounds how long a flush waits for a listener that does not read.
const flushTime = time.Second

// newSpeaker finds out whether somebody listens, and greets.
func newSpeaker() *speaker {
	s := &speaker{fd: -1}
	s.lines = record.NewWriter(&s.text)
	fd, err := strconv.Atoi(os.Getenv(pipeVar))
	if err != nil || fd <= 2 || !openPipe(fd) {
		return s
	}
	s.fd = fd
	s.raw(helloLine{K: "hello", V: 1, From: "bench"})
	return s
}

func (s *speaker) listened() bool { return s.fd >= 0 }

// say takes a line of a kind that package record knows.
func (s *speaker) say(l record.Line) {
	if s.listened() {
		s.lines.Write(l) // to a buffer; what has no JSON form is left out
	}
}

// raw takes a line of another kind.
func (s *speaker) raw(line any) {
	if !s.listened() {
		return
	}
	text, err := json.Marshal(line)
	if err != nil {
		panic("bench: " + err.Error()) // of the types in lines.go: never
	}
	s.text.Write(append(text, '\n'))
}

// flush sends what was said. When the listener is gone or does not read, this
// was the last: after half a line nothing can be said any more.
func (s *speaker) flush() {
	if s.listened() && s.text.Len() > 0 && !send(s.fd, s.text.Bytes(), time.Now().Add(flushTime)) {
		s.fd = -1
	}
	s.text.Reset()
}
