// Package compiler collects what the Go compiler says about the functions of a test binary: which it inlines and which
// not, what escapes to the heap and why, which bounds checks are left, what a profile (PGO) changed; and from the binary
// the size of each function and of its stack frame.
//
//	notes, err := compiler.Notes(ctx, compiler.Site{Dir: dir, Pkg: "example.org/m", Binary: "m.test"})
//	for _, f := range notes.Functions {
//		fmt.Println(f.Name, f.Size, f.Frame, len(f.Notes))
//	}
//
// Package compiled, below internal/result, compares the notes of two sides.
//
// # Source of the notes
//
// The package is compiled once more with -m=2, -d=ssa/check_bce and -json. The text has the inlined calls, costs and
// budgets, which the JSON lacks. The JSON has the positions of inlined code and the ways by which values escape, which
// the text lacks. Go writes the JSON only when it compiles, and not when it takes the package from its cache, so the
// directory of the JSON has another name each time. These flags change no instruction.
//
// Notes are about the functions of the source. What runs are copies of them, alone or inlined, and a note on one copy
// says nothing about the others. So each note on inlined code has the chain of its positions.
//
// Not noted: checks for nil, which usually cost no instruction; values that do not escape; packages other than those
// named.
package compiler
