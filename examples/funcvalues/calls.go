package main

// Every way computes the same: half of x and one more.

func inlined(x int) int { return x>>1 + 1 }

//go:noinline
func direct(x int) int { return x>>1 + 1 }

// closure returns a function that has captured a variable. It is not inlined,
// so that its caller cannot know what comes back.
//
//go:noinline
func closure(one int) func(int) int { return func(x int) int { return x>>1 + one } }

type stepper interface{ step(x int) int }

type halver struct{ one int }

func (h halver) step(x int) int { return x>>1 + h.one }

type doubler struct{}

func (doubler) step(x int) int { return 2 * x }

// generic calls by its type parameter. Types of one shape share its code, which
// therefore looks the method up.
//
//go:noinline
func generic[S stepper](s S, x int) int { return s.step(x) }
