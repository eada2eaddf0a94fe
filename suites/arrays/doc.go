// Package arrays measures what fills and copies slices: the built-in clear and copy, a
// copy that doubles itself, loops in both directions, unsafe pointers, memory outside of
// the heap, and vectors, over the types that Go programs have most of. It is the
// experiment of the article about Java's Arrays.fill, which explains its figures by the
// machine code. Vectors need GOEXPERIMENT=simd.
//
//	go test -bench 'Arrays/size=32768/op=fill'     # one case
//	make -C ../.. suites-arrays                    # the run that results has
//
// The functions that are measured are in gen_TYPE.go, one for each operation and type,
// and not generic: the compiler recognises a loop that clears by the constant that it
// assigns, and in generic code there is none. They are written by cmd/gen.
package arrays
