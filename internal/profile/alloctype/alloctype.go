// Package alloctype names the types of allocated objects, by the function of the runtime that the program called to allocate
// them.
//
//	typ := alloctype.Name("runtime.makeslice", "int") // "[]int"
package alloctype

import "strings"

// Argument says which argument of a function of the runtime is a type, and what is allocated for it.
type Argument struct {
	Index int  // from 0
	Slice bool // elements of the type
}

// Name returns the type of the allocated objects if the argument is type t.
func (a Argument) Name(t string) string {
	switch {
	case a.Slice:
		return "[]" + t
	case strings.HasPrefix(t, "struct { F uintptr"): // the function and its captured variables
		return "closure"
	}
	return t
}

// ArgumentOf returns the type argument of a function that the compiler calls to allocate, and false if it has none
// (cmd/compile/internal/typecheck/_builtin/runtime.go).
func ArgumentOf(via string) (Argument, bool) {
	name, ok := strings.CutPrefix(via, "runtime.")
	if !ok {
		return Argument{}, false
	}
	switch name {
	case "newobject", "convT", "convTnoptr", "makechan", "makechan64", "makemap", "makemap64":
		return Argument{Index: 0}, true
	case "makeslice", "makeslice64", "makeslicecopy", "newarray", "moveSlice", "moveSliceNoCap":
		return Argument{Index: 0, Slice: true}, true
	case "growslice", "growsliceNoAlias", "growsliceBuf", "growsliceBufNoAlias":
		return Argument{Index: 4, Slice: true}, true
	case "mallocgc":
		return Argument{Index: 1}, true
	}
	if strings.HasPrefix(name, "mapassign") {
		return Argument{Index: 0}, true
	}
	return Argument{}, false
}

// ByFunction returns the type that follows from the function of the runtime alone, or "".
func ByFunction(via string) string {
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

// Name returns the type of objects that the allocator got as type t, "" for memory without one, when the program called the
// function via. It returns "" if the type is not known. Generic code allocates objects of the type of their shape.
func Name(via, t string) string {
	if name := ByFunction(via); name != "" {
		return name
	}
	if t == "" {
		if strings.HasPrefix(via, "runtime.growslice") {
			return "slice without pointers" // the allocator does not get its type
		}
		return ""
	}
	a, _ := ArgumentOf(via)
	return a.Name(strings.ReplaceAll(t, "go.shape.", ""))
}

// OfRuntime reports whether a function belongs to the runtime, which allocates for others.
func OfRuntime(name string) bool {
	switch {
	case strings.HasPrefix(name, "runtime."), strings.HasPrefix(name, "internal/runtime/"):
		return true
	case strings.HasPrefix(name, "reflect.unsafe_New"), strings.HasPrefix(name, "reflect.mapassign"):
		return true // the runtime's, under the names by which others know them
	}
	switch name {
	case "internal/bytealg.MakeNoZero", "internal/reflectlite.unsafe_New", "reflect.makechan", "reflect.makemap", "reflect.growslice", "maps.clone":
		return true
	}
	return false
}

// OnlyAllocates reports whether a function of the runtime does nothing but allocate.
func OnlyAllocates(name string) bool {
	for _, start := range [...]string{"runtime.malloc", "runtime.new", "runtime.makeslice", "runtime.growslice"} {
		if strings.HasPrefix(name, start) {
			return true
		}
	}
	return false
}
