package asm

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"

	"github.com/tarebench/tare/prof"
)

// The half in the measured process finds its file, and how many stops of the timer may
// be noted in it, in these variables.
const (
	notesVar = "TARE_ASM"
	roomVar  = "TARE_ASM_ROOM"
)

// mostNotes is the room there is by default: 64 MiB, of which only takes up what is
// written. A benchmark that does nothing but stop and start fills it in a minute.
const mostNotes = 4 << 20

// notes are where the half in the process of one fork notes when the timer ran.
type notes struct {
	path string
	once sync.Once
	ran  []span
	err  error
}

// newNotes makes the file.
func newNotes() (*notes, error) {
	f, err := os.CreateTemp("", "tare-asm-")
	if err != nil {
		return nil, fmt.Errorf("a place for notes of when the timer ran: %w", err)
	}
	n := &notes{path: f.Name()}
	if err := f.Close(); err != nil {
		return nil, errors.Join(err, os.Remove(n.path))
	}
	return n, nil
}

func (n *notes) env(room int) []string {
	return []string{notesVar + "=" + n.path, roomVar + "=" + strconv.Itoa(room)}
}

// read reads the notes of a process that has ended, and removes the file, whoever asks
// first. nil are no notes.
func (n *notes) read() ([]span, error) {
	if n == nil {
		return nil, nil
	}
	n.once.Do(func() {
		n.ran, n.err = readNotes(n.path)
		n.err = errors.Join(n.err, os.Remove(n.path))
	})
	return n.ran, n.err
}

// readNotes reads pairs of numbers. What makes no sense is left out: goroutines may have
// stopped the timer at the same time.
func readNotes(path string) ([]span, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 64<<10)
	var out []span
	for {
		var pair [16]byte
		switch _, err := io.ReadFull(r, pair[:]); {
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			return apart(out), nil
		case err != nil:
			return nil, err
		}
		s := span{int64(binary.NativeEndian.Uint64(pair[:])), int64(binary.NativeEndian.Uint64(pair[8:]))}
		if s.begin > 0 && s.end >= s.begin {
			out = append(out, s)
		}
	}
}

// Prepare makes the file for the notes of the fork that is attached to next: those of a
// profiler come one after the other.
func (p *attacher) Prepare() (prof.Session, []string, error) {
	n, err := newNotes()
	if err != nil {
		return nil, nil, err
	}
	p.mu.Lock()
	p.next = n
	p.mu.Unlock()
	return prepared{n}, n.env(p.room), nil
}

// take are the notes of the fork at hand; nil if nothing was prepared.
func (p *attacher) take() *notes {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.next
	p.next = nil
	return n
}

// prepared is the session of a fork's notes, which tidies up also if there was nothing
// to attach to. What they say is for the session that samples.
type prepared struct{ notes *notes }

func (s prepared) End([]prof.Window) (r prof.Result, err error) {
	_, err = s.notes.read()
	return r, err
}
