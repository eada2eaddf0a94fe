// Package samecode says whether a benchmark has the same machine code in two test binaries: then it has the same digest.
//
//	b, err := samecode.Open("old.test")                  // objfile.ErrNoCode: its machine code cannot be compared
//	digest := b.Digest("example.org/m", "BenchmarkX")    // "": not known
//
// The functions that are read are, by name:
//
//   - BenchmarkX and its closures, to any depth (BenchmarkX.func1.2, and those of functions inlined into it);
//   - the functions that these call directly or take as a function value, and theirs in turn;
//   - of the standard library only those that other code calls: what those call is not followed;
//   - neither the runtime nor package testing.
//
// Calls through interfaces, and through function values that a variable or a table holds, are not followed.
//
// Two functions have the same code if their instructions are the same, one by one. An address counts by what lies there: a
// position in a function, a variable by its name, a type by its name and size, a constant by its bytes. The linker may have
// moved all of them. The contents of variables and of named tables are not compared.
//
// Code that cannot be read, or is not known for certain, counts as different. Only ELF files for amd64 that are not
// position-independent can be compared.
//
// [ReadSymbols] reads all functions of a binary of any format and processor that packages objfile and disasm know:
//
//	s, err := samecode.ReadSymbols("old.test")
//	for i, f := range s.List() {
//		fmt.Println(f.Name, f.Size, f.Frame, f.Digest(), s.Refs(i))
//	}
//
// It masks addresses instead of resolving them to names, which is a hundred times faster and finds fewer differences:
// constants and variables are not compared, only which functions are called.
package samecode
