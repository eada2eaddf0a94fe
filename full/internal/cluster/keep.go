package cluster

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/tarebench/tare/internal/base/tempdir"
)

// A Store keeps what an agent delivers until its controller has written the whole record, so that another controller can
// gather it if that one ends early.
type Store interface {
	Append(run string, message []byte) error // a line of JSON
	Read(run string, f func(message []byte) error) error
	Runs() []string
	Remove(run string) error
}

// maxKept limits what is kept in memory, in bytes.
const maxKept = 256 << 20

// A memoryStore keeps one run in memory.
type memoryStore struct {
	mu       sync.Mutex
	run      string
	messages [][]byte
	size     int
}

// NewMemoryStore returns a store of at most 256 MiB, which ends with the process.
func NewMemoryStore() Store { return &memoryStore{} }

var errFull = errors.New("there is no room to keep more")

func (s *memoryStore) Append(run string, message []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run != run {
		s.run, s.messages, s.size = run, nil, 0
	}
	if s.size+len(message) > maxKept {
		return errFull
	}
	s.messages, s.size = append(s.messages, message), s.size+len(message)
	return nil
}

func (s *memoryStore) Read(run string, f func([]byte) error) error {
	s.mu.Lock()
	messages := s.messages
	if s.run != run {
		messages = nil
	}
	s.mu.Unlock()
	for _, m := range messages {
		if err := f(m); err != nil {
			return err
		}
	}
	return nil
}

func (s *memoryStore) Runs() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run == "" {
		return nil
	}
	return []string{s.run}
}

func (s *memoryStore) Remove(run string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run == run {
		s.run, s.messages, s.size = "", nil, 0
	}
	return nil
}

// A fileStore keeps each run in a file of its own.
type fileStore struct {
	dir string

	mu   sync.Mutex
	run  string // whose file is open
	file *os.File
}

const keptSuffix = ".tare-agent.jsonl"

// NewFileStore returns a store in a directory, which is made if there is none. It fails if another user could have put files there:
// what is in them is delivered as what this agent has measured.
func NewFileStore(dir string) (Store, error) {
	dir, err := tempdir.MkdirAll(dir, 0o700)
	if err != nil {
		return nil, err
	}
	if err := tempdir.CheckTrusted(dir); err != nil {
		return nil, err
	}
	return &fileStore{dir: dir}, nil
}

func (s *fileStore) path(run string) string { return filepath.Join(s.dir, run+keptSuffix) }

func (s *fileStore) Append(run string, message []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run != run || s.file == nil {
		s.close()
		f, err := tempdir.OpenOwnFile(s.path(run), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		s.run, s.file = run, f
	}
	_, err := s.file.Write(append(bytes.Clone(message), '\n'))
	return err
}

func (s *fileStore) close() {
	if s.file != nil {
		s.file.Close()
	}
	s.file, s.run = nil, ""
}

// Read leaves out a last line that was cut off.
func (s *fileStore) Read(run string, f func([]byte) error) error {
	file, err := os.Open(s.path(run))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	r := bufio.NewReader(file)
	for {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.path(run), err)
		}
		if err := f(bytes.TrimSuffix(line, []byte{'\n'})); err != nil {
			return err
		}
	}
}

func (s *fileStore) Runs() []string {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil
	}
	var runs []string
	for _, e := range entries {
		if run, ok := strings.CutSuffix(e.Name(), keptSuffix); ok {
			runs = append(runs, run)
		}
	}
	return runs
}

func (s *fileStore) Remove(run string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run == run {
		s.close()
	}
	if err := os.Remove(s.path(run)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
