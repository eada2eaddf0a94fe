// Package structs finds the types of structs, with sizes and offsets: in sources, by package go/types with the
// compiler's own rules for sizes, or in the debug data of a binary. Nothing of either is run.
//
//	found, err := structs.Load(ctx, structs.Query{Packages: []string{"./queue"}, Types: []string{"SPSC", "Ring[int]"}})
//	found, err := structs.ReadBinary("./server", structs.Query{Types: []string{"sync.Pool"}})
package structs
