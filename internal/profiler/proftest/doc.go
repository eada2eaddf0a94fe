// Package proftest runs benchmarks whose truth is known under a profiler, for the tests
// of profilers: built, forked and listened to as tare bench does it.
//
//	s := proftest.Open(t, sched.Profiler(), *overlay.Sched()) // testdata/subjects
//	f := s.Fork(record.Case{Name: "Weights"}, "5x")
//	if f.Get("sched-running-ns/op") < truth { … }
//	if f.Doubts() != "" { … }
package proftest
