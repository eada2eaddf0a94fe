// Package totals reads what a Go program has used from its start to its end: bytes and objects that it allocated, garbage
// collections, and the CPU time of each thread. The figures come from a part of tare in the program's package runtime
// (toolchain.Totals), which writes them to a file when main returns or os.Exit is called.
//
//	file, err := totals.New()
//	defer file.Close()
//	// the program gets file.Env() in its environment, and ends
//	t, err := file.Read() // ErrNotEnded: it ended in another way
package totals
