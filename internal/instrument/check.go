package instrument

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/objfile"
)

// ErrNoProbes is wrapped by the error of a program that was built without its probes.
var ErrNoProbes = errors.New("no probes")

// Check checks that a program that was built has its probes. Flags, settings and a -toolexec can
// have go compile other sources than those with probes, and a count of nothing looks like a
// result. The error wraps ErrNoProbes if there are functions in the program that should call
// probes, and none does. Check knows the machine code of amd64 and arm64; of others it finds no
// fault.
func (w *Build) Check(program string) error {
	f, err := objfile.Open(program)
	if err != nil {
		return err
	}
	defer f.Close()
	all, err := f.Functions()
	if err != nil {
		return err
	}
	c := calls{arch: f.Arch(), to: w.probes(all)}
	if c.arch != "amd64" && c.arch != "arm64" {
		return nil
	}
	instrumented := w.symbols()
	there := 0
	for fn := range all.All() {
		mine := instrumented[hideTypes(fn.Name)]
		switch {
		case mine:
			there++
		case !w.cfg.CountOnly || strings.HasPrefix(fn.Name, "runtime."): // in which calibration calls them
			continue
		}
		code, err := f.Text(fn)
		if err != nil {
			return err
		}
		if found, far := c.in(code, fn.Entry); found || far {
			return nil
		}
	}
	if there == 0 {
		if text, err := os.ReadFile(program); err != nil || !named(text, instrumented) {
			return err // what matches is not reached, and not linked
		}
	}
	return fmt.Errorf("%w in the program: it has functions that match, and none calls a probe; GOFLAGS or -toolexec may have go compile other files", ErrNoProbes)
}

// named reports whether the text of a program has the name of one of the functions, as it has of
// those that are inlined everywhere.
func named(text []byte, instrumented map[string]bool) bool {
	for word := range bytes.SplitSeq(text, []byte{0}) {
		if len(word) < 1<<12 && instrumented[hideTypes(string(word))] {
			return true
		}
	}
	return false
}

// probes returns the addresses of the functions that probes call.
func (w *Build) probes(all *objfile.Functions) (at []uint64) {
	names := []string{"runtime.TareEnter"}
	if w.cfg.CountOnly {
		names = []string{"runtime.TareCount", "runtime.tareCountSlow"} // the one is small enough to be inlined
	}
	for fn := range all.All() {
		if slices.Contains(names, fn.Name) {
			at = append(at, fn.Entry)
		}
	}
	return at
}

// symbols returns the names that the linker has for functions with probes, without type
// arguments. In a test binary, package main is the one that go generates.
func (w *Build) symbols() map[string]bool {
	out := make(map[string]bool)
	for i := range w.Funcs {
		f := &w.Funcs[i]
		path := symbolPath(f.pkg.ImportPath)
		if f.pkg.Name == "main" && !w.cfg.Tests {
			path = "main"
		}
		out[hideTypes(path+"."+f.short)] = true
	}
	return out
}

// symbolPath returns an import path as it is in symbols. A dot in its last element is escaped, as
// it would look like the one before a name.
func symbolPath(path string) string {
	slash := strings.LastIndexByte(path, '/') + 1
	return path[:slash] + strings.ReplaceAll(path[slash:], ".", "%2e")
}

var typeArguments = regexp.MustCompile(`\[.*\]`)

func hideTypes(name string) string { return typeArguments.ReplaceAllString(name, "") }

// calls finds calls of certain addresses in machine code.
type calls struct {
	arch string
	to   []uint64
}

// in reports whether code at an address calls one of them. Far means that it may do so indirectly,
// as one of them is further away than a call instruction reaches.
func (c *calls) in(code []byte, at uint64) (found, far bool) {
	const reach = 1 << 27 // of arm64's
	for _, to := range c.to {
		if c.arch == "arm64" && max(to, at)-min(to, at) > reach-uint64(len(code)) {
			return false, true
		}
	}
	if c.arch == "arm64" {
		for i := 0; i+4 <= len(code); i += 4 {
			word := binary.LittleEndian.Uint32(code[i:])
			distance := int64(int32(word<<6)) >> 4 // 26 bits, of words
			if word>>26 == 0b100101 && slices.Contains(c.to, at+uint64(i)+uint64(distance)) {
				return true, false
			}
		}
		return false, false
	}
	for i := 0; i+5 <= len(code); i++ {
		distance := int32(binary.LittleEndian.Uint32(code[i+1:]))
		if code[i] == 0xe8 && slices.Contains(c.to, at+uint64(i)+5+uint64(int64(distance))) {
			return true, false
		}
	}
	return false, false
}
