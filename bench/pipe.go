package bench

import (
	"bytes"
	"encoding/json"
	"os"
	"strconv"
	"time"

	"github.com/tarebench/tare/record"
)

// pipeVar is the environment variable with the number of an open pipe for record lines. Their format is that
// of package record; lines without a type there are in lines.go.
const pipeVar = "TARE_FD"

// A pipeWriter sends record lines to the tare that started this process. It buffers lines until flush, which
// is called only between windows. It never fails and never blocks for long, because a benchmark must not
// depend on tare.
type pipeWriter struct {
	fd    int // -1: no pipe, or it failed
	text  bytes.Buffer
	lines *record.Writer
}

// flushTime is the longest that a flush waits for tare to read.
const flushTime = time.Second

// newPipeWriter opens the pipe, if there is one, and writes the hello line.
func newPipeWriter() *pipeWriter {
	s := &pipeWriter{fd: -1}
	s.lines = record.NewWriter(&s.text)
	fd, err := strconv.Atoi(os.Getenv(pipeVar))
	if err != nil || fd <= 2 || !openPipe(fd) {
		return s
	}
	s.fd = fd
	s.raw(helloLine{K: "hello", V: 1, From: "bench"})
	return s
}

func (s *pipeWriter) isOpen() bool { return s.fd >= 0 }

// say adds a line with a type in package record.
func (s *pipeWriter) say(l record.Line) {
	if s.isOpen() {
		s.lines.Write(l) // to a buffer; a line without JSON form is dropped
	}
}

// raw adds a line of another kind.
func (s *pipeWriter) raw(line any) {
	if !s.isOpen() {
		return
	}
	text, err := json.Marshal(line)
	if err != nil {
		panic("bench: " + err.Error()) // cannot happen for the types in lines.go
	}
	s.text.Write(append(text, '\n'))
}

// flush sends the buffered lines. If that fails the pipe is no longer used, because half a line may have been
// sent.
func (s *pipeWriter) flush() {
	if s.isOpen() && s.text.Len() > 0 && !send(s.fd, s.text.Bytes(), time.Now().Add(flushTime)) {
		s.fd = -1
	}
	s.text.Reset()
}
