// Package loopcost measures benchmark loops without a body, as a test binary would run them.
//
//	loops, err := loopcost.Measure(ctx, launcher, "/path/to/p.test", []int{1, 2})
//
// It builds a small program by the toolchain and the build settings of the binary, which the binary holds, and runs that.
// What an empty loop takes depends on them: with -race and b.Loop it is 25 ns instead of a third of one. The program has
// several loops of each form, because a processor runs the same loop at up to half the speed at another address.
package loopcost
