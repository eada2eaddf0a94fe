// Package emptyloop finds benchmarks whose result says little about their operations: the compiler removed them, the first
// one does all the work, or a part of the time does not depend on their number.
//
// Two facts are known. An empty loop of the benchmark's form takes Lo to Hi, depending on its address. And calibration
// timed iterations of one, some and many operations. If their time is a + b·N, b is nearly the measured ns/op, and a is
// what only the first operation does, or set-up with the timer on. Times alone do not distinguish these two, unless the
// benchmark resets its timer after set-up, as b.Loop does.
//
// It judges by the shortest times, since waits only lengthen them, and needs no file: package result has the records.
package emptyloop
