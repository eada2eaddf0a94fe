package asm

import (
	"errors"
	"path/filepath"
	"time"

	"github.com/tarebench/tare/internal/binary/objfile"
	"github.com/tarebench/tare/record"
)

// image is a sampled file.
type image struct {
	path    string
	file    *objfile.File // nil: not readable
	why     error         // why file is nil
	table   *objfile.Functions
	data    *objfile.Data
	modules objfile.Modules
	main    bool // the program itself, not a library
}

// errReplaced is the error for a file that was replaced after it was sampled.
var errReplaced = errors.New("was written to while it was sampled")

// openImage reads a file. A file that changed after its first sample is not read: it contains other code.
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
	im.data, _ = im.file.Data()       // optional: names
	im.modules, _ = im.file.Modules() // optional: only Go programs have any
	return im
}

func (im *image) close() {
	if im.file != nil {
		im.file.Close()
	}
}

// linked returns the linked address of a place in the file.
func (im *image) linked(s spot) uint64 {
	if s.kind != inFile || im.file == nil {
		return s.at
	}
	return s.at - im.file.Bias(s.at, s.at) // Bias with the file mapped at address 0
}

// find returns the function that contains an address.
func (im *image) find(addr uint64) (objfile.Function, bool) {
	if im.table == nil {
		return objfile.Function{}, false
	}
	return im.table.Find(addr)
}

// datum returns the variable or constant that contains an address.
func (im *image) datum(addr uint64) (objfile.Datum, bool) {
	if im.data == nil {
		return objfile.Datum{}, false
	}
	return im.data.Find(addr)
}

// area returns the area of a function of the file.
func (im *image) area(fn objfile.Function) string {
	if !im.main && fn.C {
		return filepath.Base(im.path)
	}
	return Area(fn, im.modules)
}

// rest returns name and area of addresses outside of functions.
func (im *image) rest() (name, area string) {
	base := filepath.Base(im.path)
	if im.main {
		return "[" + base + "]", record.AreaUnknown
	}
	return "[" + base + "]", base
}

// arch returns the architecture, or "" if unknown.
func (im *image) arch() string {
	if im.file == nil {
		return ""
	}
	return im.file.Arch()
}

// built returns when the file was written, which is not before the build.
func (im *image) built() time.Time { return modified(im.path) }
