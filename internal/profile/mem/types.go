package mem

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tarebench/tare/internal/binary/objfile"
	"github.com/tarebench/tare/internal/profile/alloctype"
)

// nameTypes sets the types of the objects. If the binary cannot be read, it stores the reason.
func (s *heapSamples) nameTypes(binary string) {
	f, err := objfile.Open(binary)
	if err != nil {
		s.noTypes = err
		return
	}
	defer f.Close()
	code, err := f.Code()
	if err != nil {
		s.noTypes = reason(err)
	} else if at, ok := code.Symbol(s.Anchor); !ok {
		s.noTypes = fmt.Errorf("the binary has no symbol %q", s.Anchor)
	} else {
		s.readTypes(code, s.At-at)
	}
	for i := range s.Stacks { // without the binary
		if x := &s.Stacks[i]; x.typ == "" {
			x.typ = alloctype.ByFunction(x.Via)
		}
	}
}

// reason returns err without the path of the binary, which is removed after the run.
func reason(err error) error {
	if errors.Is(err, objfile.ErrNoCode) {
		_, text, _ := strings.Cut(err.Error(), ": ")
		return errors.New(text)
	}
	return err
}

// readTypes reads the types from the code before the calls. slide is the difference between addresses in the process
// and in the file.
func (s *heapSamples) readTypes(code *objfile.Code, slide uint64) {
	type call struct{ entry, ret uint64 }
	known := map[call]string{}
	for i := range s.Stacks {
		x := &s.Stacks[i]
		c := call{x.Entry - slide, x.Ret - slide}
		if x.Via == "" { // go1.25 omits functions that only allocate
			x.Via, _ = code.Callee(c.ret)
		}
		arg, ok := alloctype.ArgumentOf(x.Via)
		if !ok {
			continue
		}
		name, seen := known[c]
		if !seen {
			if addr, ok := code.Argument(c.entry, c.ret, arg.Index); ok {
				if t, ok := code.TypeName(addr); ok {
					name = arg.Name(t)
				}
			}
			known[c] = name
		}
		x.typ = name
	}
}
