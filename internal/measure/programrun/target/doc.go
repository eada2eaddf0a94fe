// Package target builds Go programs, and the tests of packages, as they are typed:
//
//	t, err := target.FromCommand([]string{"go", "run", "-race", "./cmd/server", "-v"}) // or FromPackage
//	b := &target.Builder{Context: ctx, Work: dir, …}
//	err = b.Resolve(t)                  // what the go command says is wrong with it is an error
//	tools, err := b.Settings(t)         // the toolchain, for an overlay
//	err = b.Build(t, file, "probes", flags, nil)
//
// Errors say what to do about them: package exit.
package target
