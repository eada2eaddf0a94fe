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

	"github.com/tarebench/tare/internal/binary/objfile"
)

// ErrNoProbes is the cause of the error that Check returns for a program without probes.
var ErrNoProbes = errors.New("no probes")

// Check checks that a built program has its probes. Flags, settings and -toolexec can make go compile other sources
// than those with probes, and a count of zero would look like a result. The error wraps ErrNoProbes if the program
// has functions that should call probes and none does. Check supports amd64 and arm64, and returns nil for other
// processors.
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
	c := calls{arch: f.Arch(), to: addresses(all, w.probe())}
	switch {
	case c.arch != "amd64" && c.arch != "arm64":
		return nil
	case w.cfg.CountOnly && len(c.to) > 0: // functions with probes alone refer to it
		return nil
	}
	instrumented := w.symbols()
	there := 0
	for fn := range all.All() {
		if !instrumented[hideTypes(fn.Name)] {
			continue
		}
		there++
		code, err := f.Text(fn)
		if err != nil {
			return err
		}
		if found, far := c.in(code, fn.Entry); found || far {
			return nil
		}
	}
	if there == 0 {
		if text, err := os.ReadFile(program); err != nil || !containsName(text, instrumented) {
			return err // no matching function is linked
		}
	}
	return fmt.Errorf("%w in the program: functions match, but none calls a probe; GOFLAGS or -toolexec may make go compile other files", ErrNoProbes)
}

// containsName reports whether a program contains the name of one of the functions. This is so even if it is inlined
// everywhere.
func containsName(text []byte, instrumented map[string]bool) bool {
	for word := range bytes.SplitSeq(text, []byte{0}) {
		if len(word) < 1<<12 && instrumented[hideTypes(string(word))] {
			return true
		}
	}
	return false
}

// probe returns the function that instrumented code refers to, however the compiler inlines.
func (w *Build) probe() string {
	if w.cfg.CountOnly {
		return "runtime.TareCountSlow"
	}
	return "runtime.TareEnter"
}

// addresses returns the addresses of functions with a name.
func addresses(all *objfile.Functions, name string) (at []uint64) {
	for fn := range all.All() {
		if fn.Name == name {
			at = append(at, fn.Entry)
		}
	}
	return at
}

// symbols returns the linker's names of the functions with probes, without type arguments. In a test binary, package
// main is the one that go generates.
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

// symbolPath returns an import path as in symbols. A dot in its last element is escaped, to differ from the dot
// before a name.
func symbolPath(path string) string {
	slash := strings.LastIndexByte(path, '/') + 1
	return path[:slash] + strings.ReplaceAll(path[slash:], ".", "%2e")
}

var typeArguments = regexp.MustCompile(`\[.*\]`)

func hideTypes(name string) string { return typeArguments.ReplaceAllString(name, "") }

// calls finds calls of given addresses in machine code.
type calls struct {
	arch string
	to   []uint64
}

// in reports whether code at an address calls one of the addresses. far means that the distance to one of them exceeds the
// range of a call instruction, so that code may call it indirectly.
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
