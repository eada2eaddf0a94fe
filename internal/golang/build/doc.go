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
// The go command does the work, as a child process: `go list` finds the packages and `go test -c`
// builds them, from their own unchanged sources. A pattern path@version is looked up and built
// from a temporary module, so that benchmarks of any published package run.
//
// [Program] builds a program instead, of a main package that is only there for the build and imports the package.
//
// # Hooks
//
// With [Options.Deep] the toolchain's own package testing is built with hooks, see package toolchain. It is the only
// package whose text is changed, by go's flag -overlay; what the build's own -overlay replaces stays replaced. A
// toolchain that does not support the hooks gives an error that wraps [ErrDeep]; without Deep it can be used.
//
// # The cache
//
// `go test -c` links each time it is run, which costs 0.15 to 0.5 s per package. But if the file named
// by -o exists, go compares its action ID, a hash over everything that goes into the link, with the
// new one, and leaves an up-to-date file alone: 0.04 to 0.08 s. So the cache consists of this:
//
//   - bin/NAME-SHA256.test: the binaries, under the hash of their content;
//   - slot/KEY: the last binary of a build with this package, directory, environment and flags. The
//     next build shows it to go, by a hard link in a directory of its own, and go decides
//     whether it is up to date;
//   - overlay/HASH: package testing with hooks, one for each toolchain, so that go compiles it once; main packages of
//     [Program].
//
// So tare does not need to know what a binary depends on. The key separates builds that alternate. It also contains
// what go's action ID lacks: the C compiler and its flags.
//
// A binary is hashed before it is reused, and entries are installed by renaming. Entries unused for five days are
// removed, and above 2 GiB the oldest ones. Nothing that was used within a day is removed, because a run executes the
// same path for each fork. Several processes of tare may share the cache.
package build
