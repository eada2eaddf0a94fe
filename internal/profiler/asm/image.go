package asm

import (
	"errors"
	"path/filepath"
	"time"

	"github.com/tarebench/tare/internal/objfile"
	"github.com/tarebench/tare/record"
)

// image is a file that was sampled.
type image struct {
	path    string
	file    *objfile.File // nil: it cannot be read
	why     error         // then
	table   *objfile.Functions
	data    *objfile.Data
	modules objfile.Modules
	main    bool // the program's own, not a library
}

// errReplaced is about a file whose samples are of what it was before.
var errReplaced = errors.New("was written to while it was sampled")

// openImage reads what can be read. A file that was changed since it was sampled, if that is
// known, would show code that never ran.
func openImage(path string, main bool, sampled time.Time) *image {
	im := &image{path: path, main: main}
	if !sampled.IsZero() && changed(path).After(sampled) {
		im.why = errReplaced
		return im
	}
	if im.file, im.why = objfile.Open(path); im.why != nil {
		return im
	}
	im.table, im.why = im.file.Functions()
	im.data, _ = im.file.Data()       // else they have no names
	im.modules, _ = im.file.Modules() // only Go's programs have any
	return im
}

func (im *image) close() {
	if im.file != nil {
		im.file.Close()
	}
}

// linked is the address for which a place in the file was linked.
func (im *image) linked(s spot) uint64 {
	if s.kind != inFile || im.file == nil {
		return s.at
	}
	return s.at - im.file.Bias(s.at, s.at) // as if the file were mapped at the address 0
}

// find is the function at an address.
func (im *image) find(addr uint64) (objfile.Function, bool) {
	if im.table == nil {
		return objfile.Function{}, false
	}
	return im.table.Find(addr)
}

// datum is the variable or constant at an address.
func (im *image) datum(addr uint64) (objfile.Datum, bool) {
	if im.data == nil {
		return objfile.Datum{}, false
	}
	return im.data.Find(addr)
}

// area is that of a function of the file.
func (im *image) area(fn objfile.Function) string {
	if !im.main && fn.C {
		return filepath.Base(im.path)
	}
	return Area(fn, im.modules)
}

// rest is what addresses belong to that are in no function.
func (im *image) rest() (name, area string) {
	base := filepath.Base(im.path)
	if im.main {
		return "[" + base + "]", record.AreaUnknown
	}
	return "[" + base + "]", base
}

// arch is the machine, "" if it is not known.
func (im *image) arch() string {
	if im.file == nil {
		return ""
	}
	return im.file.Arch()
}

// built is when the file was written: no later than now.
func (im *image) built() time.Time { return modified(im.path) }
