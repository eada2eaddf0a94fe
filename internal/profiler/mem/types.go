package mem

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tarebench/tare/internal/objfile"
)

// nameTypes finds out of what type the objects of each stack are. Where the binary
// cannot be read it notes why.
func (s *sampled) nameTypes(binary string) {
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
	for i := range s.Stacks { // what needs no binary
		if x := &s.Stacks[i]; x.typ == "" {
			x.typ = byFunction(x.Via)
		}
	}
}

// reason leaves out where the binary was: it is gone when somebody reads of it.
func reason(err error) error {
	if errors.Is(err, objfile.ErrNoCode) {
		_, text, _ := strings.Cut(err.Error(), ": ")
		return errors.New(text)
	}
	return err
}

// readTypes looks at the calls. slide is by how much the process has its code
// elsewhere than the file says.
func (s *sampled) readTypes(code *objfile.Code, slide uint64) {
	type call struct{ entry, ret uint64 }
	known := map[call]string{}
	for i := range s.Stacks {
		x := &s.Stacks[i]
		c := call{x.Entry - slide, x.Ret - slide}
		if x.Via == "" { // go1.25 leaves out functions that only allocate
			x.Via, _ = code.Callee(c.ret)
		}
		arg, ok := typeArgument(x.Via)
		if !ok {
			continue
		}
		name, seen := known[c]
		if !seen {
			if addr, ok := code.Argument(c.entry, c.ret, arg.index); ok {
				if t, ok := code.TypeName(addr); ok {
					name = arg.name(t)
				}
			}
			known[c] = name
		}
		x.typ = name
	}
}

// typeArg is which argument of a function of the runtime is a type, and what is
// allocated for it.
type typeArg struct {
	index int
	slice bool // elements of the type
}

// name is the type of what was allocated.
func (a typeArg) name(t string) string {
	switch {
	case a.slice:
		return "[]" + t
	case strings.HasPrefix(t, "struct { F uintptr"): // the function, and what it has captured
		return "closure"
	}
	return t
}

// typeArgument knows the functions that the compiler calls to allocate
// (cmd/compile/internal/typecheck/_builtin/runtime.go).
func typeArgument(via string) (typeArg, bool) {
	name, ok := strings.CutPrefix(via, "runtime.")
	if !ok {
		return typeArg{}, false
	}
	switch name {
	case "newobject", "convT", "convTnoptr", "makechan", "makechan64", "makemap", "makemap64":
		return typeArg{index: 0}, true
	case "makeslice", "makeslice64", "makeslicecopy", "newarray", "moveSlice", "moveSliceNoCap":
		return typeArg{index: 0, slice: true}, true
	case "growslice", "growsliceNoAlias", "growsliceBuf", "growsliceBufNoAlias":
		return typeArg{index: 4, slice: true}, true
	case "mallocgc":
		return typeArg{index: 1}, true
	}
	if strings.HasPrefix(name, "mapassign") {
		return typeArg{index: 0}, true
	}
	return typeArg{}, false
}

// byFunction is the type that follows from the function of the runtime alone.
func byFunction(via string) string {
	name := strings.TrimPrefix(via, "runtime.")
	switch {
	case strings.HasPrefix(name, "concatstring"), name == "slicebytetostring", name == "slicerunetostring", name == "intstring",
		strings.HasPrefix(name, "rawstring"):
		return "string"
	case strings.HasPrefix(name, "concatbyte"), name == "stringtoslicebyte", via == "internal/bytealg.MakeNoZero":
		return "[]uint8"
	case name == "stringtoslicerune":
		return "[]int32"
	case strings.HasPrefix(name, "makemap"), strings.HasPrefix(name, "mapassign"), strings.HasPrefix(via, "internal/runtime/maps."), via == "maps.clone":
		return "map"
	case name == "convTstring":
		return "string in an interface"
	case name == "convTslice":
		return "slice in an interface"
	case name == "convT16", name == "convT32", name == "convT64":
		return "number in an interface"
	}
	return ""
}
