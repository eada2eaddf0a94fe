// Package proftest runs benchmarks with known results under a profiler, for tests of profilers. It builds and
// forks them as tare bench does.
//
//	s := proftest.Open(t, sched.Profiler(), toolchain.SchedPart) // testdata/subjects
//	f := s.Fork(record.Case{Name: "Weights"}, "5x")
//	if f.Get("sched-running-ns/op") < truth { … }
//	if f.Warnings() != "" { … }
package proftest
