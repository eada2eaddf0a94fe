package programrun

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/input"
	"github.com/tarebench/tare/internal/profile/asm"
	"github.com/tarebench/tare/record"
)

// Input is a file with samples: a record, a CPU profile, or the text of perf script.
type Input struct {
	Title string // of the file, for people
	path  string
	kind  inputKind
	r     *bufio.Reader
	file  io.Closer
}

type inputKind int

const (
	inputRecord inputKind = iota
	inputPprof
	inputScript
)

// OpenInput opens a file and finds out by its first bytes what it is; - is stdin. It fails for
// a file that is empty, or is neither a record nor a profile, and says what to do instead.
func OpenInput(stdin io.Reader, path string) (*Input, error) {
	in := &Input{Title: filepath.Base(path), path: path}
	file, err := input.Open(path, stdin)
	if err != nil {
		return nil, err
	}
	if path == "-" {
		in.Title = file.Name
	}
	in.r, in.file = bufio.NewReader(file), file
	if err := in.findKind(); err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}

// Close closes the file.
func (in *Input) Close() { in.file.Close() }

// IsRecord reports whether the file is a record of tare.
func (in *Input) IsRecord() bool { return in.kind == inputRecord }

// Read reads the file from its beginning.
func (in *Input) Read(p []byte) (int, error) { return in.r.Read(p) }

func (in *Input) findKind() error {
	head, err := in.r.Peek(64)
	if err != nil && !errors.Is(err, io.EOF) {
		return exit.Usage(fmt.Errorf("%s: %w", in.path, err), "")
	}
	isControl := func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' && r != '\r' }
	switch text := bytes.TrimLeft(head, " \t\r\n"); {
	case len(head) == 0:
		return exit.Usage(fmt.Errorf("%s: is empty", in.path), "")
	case bytes.HasPrefix(text, []byte(`{"k":`)):
		in.kind = inputRecord
	case bytes.HasPrefix(head, []byte("\x7fELF")):
		return exit.Usage(fmt.Errorf("%s: is a program, and no profile", in.path), "tare asm -- "+in.path+" runs and samples it; of a profile, the program's file comes second")
	case bytes.HasPrefix(head, []byte("PERFILE2")):
		return exit.Usage(fmt.Errorf("%s: is perf's own file, of which its text is read", in.path), "perf script -i "+in.path+" | tare asm - BINARY")
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}) || bytes.IndexFunc(head, isControl) >= 0:
		in.kind = inputPprof
		if st, err := os.Stat(in.path); in.path == "-" || err != nil || !st.Mode().IsRegular() {
			return exit.Usage(fmt.Errorf("a profile cannot be read from %s: it is a pipe, or no regular file", in.Title), "write it to a file and name that")
		}
	default:
		in.kind = inputScript
	}
	return nil
}

// Asm reads the samples of a profile or of perf script's text. binary is the file of the
// program, "" if the samples name it.
func (in *Input) Asm(binary string, cfg asm.Config) (*record.Asm, []*record.Warn, error) {
	if in.kind == inputPprof {
		a, warnings, err := asm.FromPprof(in.path, binary, cfg)
		if err != nil {
			return nil, nil, exit.Usage(err, "")
		}
		return a, warnings, nil
	}
	a, warnings, err := asm.FromScript(in, binary, cfg)
	if err != nil {
		return nil, nil, exit.Usage(fmt.Errorf("%s: %w", in.Title, err), "")
	}
	return a, warnings, nil
}
