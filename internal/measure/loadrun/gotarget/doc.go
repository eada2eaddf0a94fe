// Package gotarget runs the load of a target that a Go package has: a function
//
//	func Target(cfg map[string]string) (load.Target, error)
//
// The package is built into a program of its own, with a main package that exists only in that build. Its process runs
// the engine of package load, as it is in the module of the package, and streams the lines of the record to tare.
//
//	p, err := gotarget.Build(ctx, build.Options{}, "./shop")  // what is wrong with the package is an error
//	defer p.Close()
//	t, err := p.Start(ctx, cfg)                               // what Target returns as an error is one
//	defer t.Close()
//	total, err := t.Run(ctx, config, sink)                    // as load.Run
//
// # The process
//
// Its sources are the folder _child, wire.go of this package, and a file that names the user's package. It reads requests from
// its standard input and answers on descriptor 3, so that what the target prints does not get in between: lines of JSON, both
// in wire.go. It ends when its input does, also when tare was killed.
//
// The program imports nothing but load, record and what these import, because the module of a user has no checksums of
// others.
package gotarget
