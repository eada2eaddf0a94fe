package arrays

import "slices"

//go:generate go run ./cmd/gen

// Subject is an operation on slices of one type.
type Subject struct {
	Op   string // as in Ops
	Type string // as in Types

	// New makes slices of so many bytes, what works on them so many times, and what
	// tells whether they hold then what they should.
	New func(bytes int) (run func(times int), right func() bool)
}

// Ops are the operations.
func Ops() []string {
	return []string{
		"clear", "zeroloop", "fill", "backfill", "unsafefill", "offheap", "simdfill", "double",
		"copy", "copyloop", "backcopy", "simdcopy",
	}
}

// Missing returns why there is no such operation on a type, or "" if there is.
func Missing(op, typ string) string {
	pointers := typ == "pointer" || typ == "interface"
	switch {
	case op == "offheap" && pointers:
		return "the garbage collector does not see pointers outside of its heap"
	case op == "offheap" && !canMap:
		return "this system has no mmap"
	case (op == "simdfill" || op == "simdcopy") && pointers:
		return "vectors hold no pointers"
	case (op == "simdfill" || op == "simdcopy") && !WithSIMD():
		return "built without GOEXPERIMENT=simd, or for a processor without AVX2"
	}
	return ""
}

// Types are the types of elements.
func Types() []string {
	return []string{"byte", "uint16", "int32", "int64", "float32", "float64", "pointer", "interface"}
}

// Sizes are those of slices, in bytes: a part of the first level cache, about all of
// it, and more than it has.
func Sizes() []int { return []int{1 << 10, 32 << 10, 1 << 20} }

// All are the subjects, by type and operation.
func All() []Subject {
	all := slices.Concat(subjectsByte(), subjectsUint16(), subjectsInt32(), subjectsInt64(),
		subjectsFloat32(), subjectsFloat64(), subjectsPointer(), subjectsInterface(), simdSubjects())
	return slices.DeleteFunc(all, func(s Subject) bool { return Missing(s.Op, s.Type) != "" })
}

// Find is the subject of an operation and a type.
func Find(op, typ string) (s Subject, ok bool) {
	i := slices.IndexFunc(All(), func(s Subject) bool { return s.Op == op && s.Type == typ })
	if i < 0 {
		return Subject{}, false
	}
	return All()[i], true
}

// target is what the pointers in slices point to.
var target int
