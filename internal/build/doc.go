// Package build turns package patterns into test binaries.
//
//	opt := build.Options{}                            // zero value: go's own defaults, here
//	pkgs, err := build.Resolve(ctx, opt, []string{"./...", "golang.org/x/text/unicode/norm@latest"})
//	for _, p := range pkgs {
//		defer p.Close()
//		if p.Error != nil || p.Skip != "" {
//			continue // an *Error with a hint, or "no benchmarks"
//		}
//		bin, err := build.Build(ctx, opt, p)      // bin.Path is ready to be run in bin.Dir
//		defer bin.Close()
//		src, err := build.Scan(p)                 // src.Parallel("BenchmarkX"): needs mode "time"
//	}
//
// The go command does the work, as a child process: `go list` finds the
// packages and `go test -c` builds them, from their own unchanged sources.
// A pattern path@version is looked up and built from a scratch module, so that
// anybody's benchmarks run without being a dependency of anything here.
//
// # Hooks
//
// With [Options.Deep] the toolchain's own package testing is built with hooks,
// see package overlay. That is the one source that go is shown another text of,
// by its flag -overlay; what the build's own -overlay replaces stays replaced. A
// toolchain in which the hooks find no place gives an error that wraps
// [ErrDeep], and can be used without.
//
// # The cache
//
// `go test -c` links anew each time it is asked, which costs 0.15 to 0.5 s per
// package. But where the file named by -o is there already, go compares the
// action ID in it, a hash over everything that goes into the link, with the one
// that it would give, and leaves an up-to-date file alone: 0.04 to 0.08 s. So
// the cache is no more than this:
//
//   - bin/NAME-SHA256.test: the binaries, under the hash of their content;
//   - slot/KEY: which binary a build with this package, directory, environment
//     and these flags made last. The next one shows it to go, by a hard link
//     in a directory of its own, and go decides whether it is still good;
//   - overlay/HASH: package testing with hooks, the same for the same toolchain,
//     so that go compiles it once.
//
// So nothing here has to know what a binary depends on. The key only keeps apart
// what is built side by side; besides it holds what go leaves out of its own
// account, the C compiler and its flags.
//
// A binary is hashed before it is used again, entries are put in place by
// renaming, and what was not used for five days goes, oldest first if there is
// more than 2 GiB, but never what was used within a day: a run executes
// the same path again for each fork. Several tares may share the cache.
package build
