// Package objfile reads executable files: functions with code, lines and inlining, types from debug data, and
// the types that machine code passes to the runtime's allocation functions.
//
//	f, err := objfile.Open("./server")
//	defer f.Close()
//	fs, err := f.Functions()                 // ErrNoFunctions if the file has none
//	addr -= f.Bias(start, pgoff)             // addr is of a process that has the file mapped
//	fn, ok := fs.Find(addr)
//	code, err := f.Text(fn)
//	src, err := f.Source(fn)                 // ErrNoDebugData for C without debug data
//	at, ok := src.At(addr)                   // file and line
//	chain := src.Chain(addr)                 // functions inlined there, outermost first
//
// Go's functions, lines and inlining come from the pclntab, which the runtime uses for stack traces. Stripped files
// contain it, too; a test compares it with the debug data, instruction by instruction; and it is faster to read. C
// functions come from the symbol table, and their lines from debug data (DWARF 2 to 5), of which only the needed
// compilation units are read.
//
//	types, err := f.Structs()                // ErrNoDebugData if the file was stripped
//	for t := range types.All() {
//		st, err := types.Type(t)         // as package go/types has it
//	}
//
// The arguments of calls are available for Go programs for amd64 in ELF format:
//
//	code, err := f.Code()                    // ErrNoCode for other files
//	name, ok := code.Callee(ret)             // runtime.newobject, called before ret
//	addr, ok := code.Argument(entry, ret, 0) // its first argument; the calling function begins at entry
//	name, ok = code.TypeName(addr)
//
// ELF, Mach-O and PE files are read by the packages below Go's debug. Files may be damaged: memory is never
// allocated by the sizes that a file states.
package objfile
