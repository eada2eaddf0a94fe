package timerlog

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"

	"github.com/tarebench/tare/internal/tempdir"
)

// The half in the measured process finds its file, and how many stops of the timer may
// be noted in it, in these variables.
const (
	notesVar = "TARE_STOPS"
	roomVar  = "TARE_STOPS_ROOM"
)

// Room is how many stops of one fork can be noted: 64 MiB, of which only takes up what is
// written. A benchmark that does nothing but stop and start fills it in a minute.
const Room = 4 << 20

// Notes are where the half in the process of one fork notes when the timer ran.
type Notes struct {
	file *tempdir.Place
	once sync.Once
	ran  []Span
	err  error
}

// New makes the file of one fork.
func New() (*Notes, error) {
	f, err := tempdir.File("stops", nil, 0, os.TempDir())
	if err != nil {
		return nil, fmt.Errorf("a place for notes of when the timer ran: %w", err)
	}
	return &Notes{file: f}, nil
}

// Env is what the fork needs in its environment, for so many stops: K=V.
func (n *Notes) Env(room int) []string {
	return []string{notesVar + "=" + n.file.Path, roomVar + "=" + strconv.Itoa(room)}
}

// Read reads the notes of a process that has ended, and removes the file, whoever asks
// first. They are in the order of time, and apart; nil are no notes.
func (n *Notes) Read() ([]Span, error) {
	if n == nil {
		return nil, nil
	}
	n.once.Do(func() {
		n.ran, n.err = readNotes(n.file.Path)
		n.err = errors.Join(n.err, n.file.Remove())
	})
	return n.ran, n.err
}

// readNotes reads pairs of numbers. What makes no sense is left out: goroutines may have
// stopped the timer at the same time.
func readNotes(path string) ([]Span, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 64<<10)
	var out []Span
	for {
		var pair [16]byte
		switch _, err := io.ReadFull(r, pair[:]); {
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			return apart(out), nil
		case err != nil:
			return nil, err
		}
		s := Span{int64(binary.NativeEndian.Uint64(pair[:])), int64(binary.NativeEndian.Uint64(pair[8:]))}
		if s.Begin > 0 && s.End >= s.Begin {
			out = append(out, s)
		}
	}
}
