package objfile

import (
	"debug/dwarf"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// ErrNoDebugData is wrapped by errors for files without debug data.
var ErrNoDebugData = errors.New("no debug data (DWARF)")

// ErrNotExecutable is wrapped by errors for files in other formats.
var ErrNotExecutable = errors.New("not an executable file in ELF, Mach-O or PE format")

// ErrNoFunctions is wrapped by errors for files without a table of functions.
var ErrNoFunctions = errors.New("no functions are known")

// File is an executable, an object file or a shared library. Goroutines may call its methods at the same time.
type File struct {
	path string
	file *os.File
	format

	functions lazy[*Functions]
	table     lazy[*pclntab]
	names     lazy[[]symbol]
	data      lazy[*Data]
	debug     lazy[*dwarf.Data]
	unitCache units
}

// lazy is a value that is read at its first use.
type lazy[T any] struct {
	once  sync.Once
	value T
	err   error
}

func (l *lazy[T]) get(read func() (T, error)) (T, error) {
	l.once.Do(func() { l.value, l.err = read() })
	return l.value, l.err
}

// format is implemented by each file format.
type format interface {
	// arch returns the architecture as in GOARCH, or "" if Go has no name for it.
	arch() string
	// debugSections returns at least all sections with debug data.
	debugSections() []debugSection
	// sections returns the loaded sections whose bytes are in the file.
	sections() []section
	// symbols returns the symbols that have an address. A stripped file has none.
	symbols() ([]symbol, error)
}

// Open opens a file and reads its headers. The file stays open until Close.
func Open(path string) (*File, error) {
	if st, err := os.Stat(path); err == nil && st.Mode()&(os.ModeNamedPipe|os.ModeSocket|os.ModeDevice) != 0 {
		return nil, fmt.Errorf("%s: is not a regular file", path) // opening a pipe may wait for ever
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	format, err := formatOf(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &File{path: path, file: f, format: format}, nil
}

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }

// Path returns the path given to Open.
func (f *File) Path() string { return f.path }

// Arch returns the architecture as in GOARCH, or "" if Go has no name for it.
func (f *File) Arch() string { return f.arch() }

// formatOf detects the format by the first bytes.
func formatOf(f *os.File) (format, error) {
	if st, err := f.Stat(); err != nil {
		return nil, err
	} else if !st.Mode().IsRegular() {
		return nil, ErrNotExecutable
	}
	var magic [4]byte
	if _, err := io.ReadFull(io.NewSectionReader(f, 0, 4), magic[:]); err != nil {
		return nil, ErrNotExecutable // fewer than 4 bytes
	}
	var found format
	var err error
	switch {
	case string(magic[:]) == "\x7fELF":
		var e *elf.File
		e, err = elf.NewFile(f)
		found = elfFile{e}
	case string(magic[:2]) == "MZ":
		var p *pe.File
		p, err = pe.NewFile(f)
		found = peFile{p}
	case isMachO(magic):
		var m *macho.File
		m, err = macho.NewFile(f)
		found = machoFile{m}
	default:
		return nil, ErrNotExecutable
	}
	if err != nil {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	return found, nil
}

func isMachO(magic [4]byte) bool {
	switch [4]byte(magic) {
	case [4]byte{0xfe, 0xed, 0xfa, 0xce}, [4]byte{0xfe, 0xed, 0xfa, 0xcf},
		[4]byte{0xce, 0xfa, 0xed, 0xfe}, [4]byte{0xcf, 0xfa, 0xed, 0xfe}:
		return true
	}
	return false
}
