package samecode

import (
	"fmt"

	"github.com/tarebench/tare/internal/binary/objfile"
)

// Binary is a test binary whose functions can be compared.
type Binary struct {
	Limit int // of the functions that are read, for all benchmarks; 0: none

	file   *objfile.File
	code   *objfile.Code
	table  *objfile.Functions
	data   *objfile.Data
	byName map[string][]objfile.Function
	known  map[string]digested
}

// Open reads the tables of a test binary. The error wraps [objfile.ErrNoCode] if its machine code cannot be compared.
func Open(path string) (*Binary, error) {
	f, err := objfile.Open(path)
	if err != nil {
		return nil, err
	}
	b := &Binary{file: f, known: map[string]digested{}}
	if err := b.read(); err != nil {
		f.Close()
		return nil, err
	}
	return b, nil
}

func (b *Binary) read() (err error) {
	if b.code, err = b.file.Code(); err != nil {
		return err
	}
	if b.file.PositionIndependent() { // its constants hold no addresses until it is loaded
		return fmt.Errorf("%s: %w: it is position-independent", b.file.Path(), objfile.ErrNoCode)
	}
	if b.table, err = b.file.Functions(); err != nil {
		return err
	}
	if b.data, err = b.file.Data(); err != nil {
		return err
	}
	b.byName = make(map[string][]objfile.Function, b.table.Len())
	for f := range b.table.All() {
		b.byName[f.Name] = append(b.byName[f.Name], f)
	}
	return nil
}

// Close closes the file.
func (b *Binary) Close() error { return b.file.Close() }
