// Package calls shows what probes in a program's functions have counted: how often each
// was called, for how long, from where and in which order. It reads a [record.Trace] and
// nothing else.
//
//	c, err := calls.New(trace, calls.Config{})
//	...
//	err = c.Text(os.Stdout, calls.Options{Width: 100, UTF8: true})
//	...
//	data, err := json.Marshal(c)
//
// Other forms of the same:
//
//	err = c.Pprof(w)     // for go tool pprof, and what else reads profile.proto
//	err = c.Collapsed(w) // main.main;main.f 12, for flame graph tools
//	err = c.Events(w)    // the execution path, for Perfetto and chrome://tracing
//	p := c.Profile()     // for package report/profile, which draws flame graphs
//
// [NewContrast] puts beside it what sampling saw of the same program in another run:
//
//	x, err := calls.NewContrast(c, &how, profile, calls.Runs{Plain: …, Traced: …, Sampled: …})
//	err = x.Text(os.Stdout, calls.Options{Width: 100, UTF8: true})
//
// # Raw and corrected
//
// Probes take time themselves. Raw times are as measured, with the probes of what was
// called meanwhile and a part of the function's own. Corrected ones are without: shown
// beside the raw ones where that makes a difference that can be seen in the digits shown.
// What a probe takes is measured where a program starts. Within real code it is another: caches, and
// what the processor has under way at the same time, differ by up to half of it ([record.ProbeError]). Of a
// benchmark, forks without probes tell what all probes took together, and corrected times go by that
// ([record.Trace.Scaled]). What is then uncertain is how much of it is a function's.
//
// A time that may be off by more than a fifth for that is marked: it has one digit and a ?, or only a
// bound (<) where it may be none. So is a function that would be inlined without probes and allocates,
// because what it allocates may be on its caller's stack. Others have the digits that are known. Where
// other processes had a tenth of the processors and more, times without probes are bounds (≤): others, and
// what shares a core, make probes slower than they were when the program started.
// Of a function whose corrected time is less than a fifth of the raw one, the figure is
// about the probe: it is marked, with advice.
//
// Functions are in the order of their own time without probes.
//
// # Long calls
//
// A function whose time is mostly that of one call or a few is marked (*), with what they
// took: see [record.Trace.Long]. It may be the first call, one of more work, or one in which
// the thread lost its processor.
//
// # Digits
//
// Times have three digits, fewer where they are not known that well: none finer than
// the clock's tick, of estimates none finer than their standard error. Where one call of
// several was timed, a total is the mean of the timed times all; its standard error is
// that of the mean without replacement, calls × sd/√timed × √(1 − timed/calls)
// (Cochran, Sampling Techniques, 3rd ed., §2.6). Percentiles are the middles of the
// histogram's buckets, an eighth of a power of two wide: two digits.
//
// # Recursion
//
// The total of a function only holds outer calls. In the tree, a call that leads back to
// an element above it is a leaf with the mark ↺; what it called is counted up there. Elements
// on such a way have the time in which they were not in a call that leads back, so that
// times of a level add up to no more than that of the element above.
package calls
