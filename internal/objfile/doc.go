// Package objfile reads executable files: for which machine they are, and the
// types in their debug data.
//
//	f, err := objfile.Open("./server")
//	defer f.Close()
//	types, err := f.Structs()                // ErrNoDebugData if it was stripped
//	for t := range types.All() {
//		st, err := types.Read(t)         // *dwarf.StructType
//	}
//
// ELF, Mach-O and PE files are read by the packages of Go's debug tree; this one
// makes them look alike.
package objfile
