// Package objfile reads executable files: for which machine they are, their
// functions with code, lines and inlining, the types in their debug data, and which
// types their machine code passes to the functions of the runtime that allocate.
//
//	f, err := objfile.Open("./server")
//	defer f.Close()
//	fs, err := f.Functions()                 // ErrNoFunctions if nothing tells them
//	addr -= f.Bias(start, pgoff)             // of a process that has the file mapped
//	fn, ok := fs.Find(addr)
//	code, err := f.Text(fn)
//	src, err := f.Source(fn)                 // ErrNoDebugData for C without it
//	at, ok := src.At(addr)                   // file and line
//	chain := src.Chain(addr)                 // functions inlined there, the outermost first
//
// Go's functions, with their lines and what was inlined into them, are taken from
// the table that the runtime uses for its stack traces. It is in stripped files too,
// says the same as the debug data (a test compares them, instruction by instruction)
// and is read in a fraction of the time. Functions of C are in the symbol table, and
// their lines in the debug data (DWARF 2 to 5), of which only the compilation units
// are read that are asked for.
//
//	types, err := f.Structs()                // ErrNoDebugData if it was stripped
//	for t := range types.All() {
//		st, err := types.Read(t)         // *dwarf.StructType
//	}
//
// What calls pass is known of Go for amd64, in ELF format:
//
//	code, err := f.Code()                    // ErrNoCode for any other
//	name, ok := code.Callee(ret)             // runtime.newobject, called before ret
//	addr, ok := code.Argument(entry, ret, 0) // its first argument, in the function that begins at entry
//	name, ok = code.TypeName(addr)
//
// ELF, Mach-O and PE files are read by the packages of Go's debug tree; this one
// makes them look alike. No file is trusted: what a damaged one says of sizes bounds
// nothing until the bytes were seen.
package objfile
