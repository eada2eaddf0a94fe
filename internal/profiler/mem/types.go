package mem

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tarebench/tare/internal/objfile"
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
			x.typ = byFunction(x.Via)
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

// typeArg says which argument of a runtime function is a type, and what is allocated for it.
type typeArg struct {
	index int
	slice bool // elements of the type
}

// name returns the type of the allocated objects.
func (a typeArg) name(t string) string {
	switch {
	case a.slice:
		return "[]" + t
	case strings.HasPrefix(t, "struct { F uintptr"): // the function and its captured variables
		return "closure"
	}
	return t
}

// typeArgument returns the type argument of a function that the compiler calls to allocate
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

// byFunction returns the type that follows from the runtime function alone, or "".
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
