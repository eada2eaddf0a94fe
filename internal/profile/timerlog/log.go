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

	"github.com/tarebench/tare/internal/base/tempdir"
)

// Environment variables with the log's file and its capacity in stops, for the part in the measured process.
const (
	fileVar     = "TARE_STOPS"
	capacityVar = "TARE_STOPS_ROOM"
)

// DefaultCapacity is the capacity of a fork's log in stops: 64 MiB, of which only the written part takes space. A
// benchmark that only stops and starts its timer fills it in a minute.
const DefaultCapacity = 4 << 20

// Log is the log in which the part in the process writes when the timer ran.
type Log struct {
	file *tempdir.Place
	once sync.Once
	ran  []Span
	err  error
}

// New creates the log file of one fork.
func New() (*Log, error) {
	f, err := tempdir.Empty("stops")
	if err != nil {
		return nil, fmt.Errorf("file for the timer log: %w", err)
	}
	return &Log{file: f}, nil
}

// Env returns the environment variables, as K=V, for a log of room stops.
func (n *Log) Env(room int) []string {
	return []string{fileVar + "=" + n.file.Path, capacityVar + "=" + strconv.Itoa(room)}
}

// Read returns when the timer of an ended process ran, as disjoint spans in order of time, and removes the
// file. It returns nil for a nil log. Later calls return the same.
func (n *Log) Read() ([]Span, error) {
	if n == nil {
		return nil, nil
	}
	n.once.Do(func() {
		n.ran, n.err = readLog(n.file.Path)
		n.err = errors.Join(n.err, n.file.Remove())
	})
	return n.ran, n.err
}

// readLog reads pairs of numbers. It drops invalid pairs: several goroutines may have stopped the timer at
// the same time.
func readLog(path string) ([]Span, error) {
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
			return mergeSpans(out), nil
		case err != nil:
			return nil, err
		}
		s := Span{int64(binary.NativeEndian.Uint64(pair[:])), int64(binary.NativeEndian.Uint64(pair[8:]))}
		if s.Begin > 0 && s.End >= s.Begin {
			out = append(out, s)
		}
	}
}
