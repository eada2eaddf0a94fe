// Package gocmd knows what the go command is told besides its arguments, for those who
// build with an overlay of their own: the flags in GOFLAGS, the overlay that these may
// name already, and the toolchains in whose place go lets nobody put files.
//
//	flags := gocmd.ParseFlags(goflags, typed...) // goflags as `go env GOFLAGS` prints it
//	also, err := gocmd.ReadOverlay(dir, flags)   // of the user's; merge it with one's own
//	root, err := gocmd.Outside(cache, goroot, gomodcache)
//	if root != goroot {
//		cmd := exec.CommandContext(ctx, gocmd.Path(root), …)
//		cmd.Env = append(os.Environ(), gocmd.Env(root)...)
//		out, said, err := gocmd.Capture(ctx, cmd)
//	}
//
// It asks the go command for nothing itself, since those who use it ask for more at once.
package gocmd
