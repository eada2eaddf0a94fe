package aatest

// Named is one benchmark of the built-in set.
type Named struct {
	Pkg  string // import path
	Name string // without "Benchmark"
	Why  string // it is in the set
}

// Builtin returns the set that is measured where no benchmark was named. All are
// serial, quick to build and part of every Go since 1.24.
func Builtin() []Named {
	return []Named{
		{"sort", "SearchWrappers", "a few nanoseconds, no allocation: branches and code layout"},
		{"strings", "Fields/ASCII/256", "one small allocation: memory layout, which every process draws anew"},
		{"go/parser", "ParseOnly", "17 000 allocations: the garbage collector works along"},
	}
}
