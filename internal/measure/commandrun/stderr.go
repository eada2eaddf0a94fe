package commandrun

import (
	"errors"
	"io"
	"os"
	"strings"

	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/base/termtext"
)

// stderrFile takes what commands write to standard error. It is a file and not a pipe, so that
// nothing has to read while a command is measured, and no command waits for a reader.
type stderrFile struct {
	f  *os.File
	at *tempdir.Place
}

func newStderrFile() (*stderrFile, error) {
	at, err := tempdir.Empty("stderr")
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(at.Path, os.O_RDWR|os.O_APPEND, 0) // appending, so that after truncation a run starts at 0
	if err != nil {
		return nil, errors.Join(err, at.Remove())
	}
	return &stderrFile{f, at}, nil
}

// begin empties the file and returns it for the next run.
func (e *stderrFile) begin() *os.File {
	e.f.Truncate(0) // if it fails, the tail is right nevertheless
	return e.f
}

// readTail is how much of the end of what a run wrote is read, in bytes, and keepTail how much of it is kept. What is read
// before holds the beginning of a secret that would otherwise be cut.
const readTail, keepTail = 64 << 10, 4 << 10

// tail returns the last lines that the last run wrote, none of their beginnings cut off. Secrets are replaced before
// anything is cut, as half of one is not found.
func (e *stderrFile) tail() string {
	const lines = 10
	st, err := e.f.Stat()
	if err != nil {
		return ""
	}
	from := max(0, st.Size()-readTail)
	text, err := io.ReadAll(io.NewSectionReader(e.f, from, st.Size()-from))
	if err != nil {
		return ""
	}
	shown := strings.ToValidUTF8(string(text), "?")
	if from > 0 {
		shown = redact.Tail(shown)
	} else {
		shown = redact.Text(shown)
	}
	cut := len(shown) > keepTail || from > 0
	shown = shown[max(0, len(shown)-keepTail):]
	all := strings.Split(strings.Trim(strings.ToValidUTF8(shown, "?"), "\r\n"), "\n")
	if cut && len(all) > 1 {
		all = all[1:]
	}
	all = all[max(0, len(all)-lines):]
	for i, l := range all {
		all[i] = termtext.Clip(strings.TrimRight(strings.ReplaceAll(l, "\t", "    "), " \r"), 200)
	}
	return strings.Join(all, "\n")
}

func (e *stderrFile) close() {
	if e != nil {
		e.f.Close()
		e.at.Remove()
	}
}
