// Package objfile reads executable files: for which machine they are, the types in
// their debug data, and which types their machine code passes to the functions of the
// runtime that allocate.
//
//	f, err := objfile.Open("./server")
//	defer f.Close()
//	types, err := f.Structs()                // ErrNoDebugData if it was stripped
//	for t := range types.All() {
//		st, err := types.Read(t)         // *dwarf.StructType
//	}
//
// Machine code is that of Go for amd64, in ELF format:
//
//	code, err := f.Code()                    // ErrNoCode for any other
//	name, ok := code.Callee(ret)             // runtime.newobject, called before ret
//	addr, ok := code.Argument(entry, ret, 0) // its first argument, in the function that begins at entry
//	name, ok = code.TypeName(addr)
//
// ELF, Mach-O and PE files are read by the packages of Go's debug tree; this one
// makes them look alike.
package objfile
