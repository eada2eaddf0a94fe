package helper

import "io/fs"

// A Program is a small program of tare's own that needs only the standard library. It is built with the user's go
// command, because tare is one file that does not contain it.
type Program struct {
	Name    string // of its module and its file, such as "launcher"
	Sources fs.FS  // its Go files, in the directory "helper", with their tests

	// Version is that of the go command that builds it, as in go env GOVERSION. A program of another version is another
	// one. Default: the version that tare was built with.
	Version string

	Flags []string // build flags beside tare's own
	Env   []string // K=V, added to the environment of the go command
}

// Config says where programs are kept, and what builds them. tare uses the zero value.
type Config struct {
	// CacheDir keeps the built programs, 1 to 5 MB each. Default: that of tempdir.UserDir.
	CacheDir string

	// Go is the go command that builds a program when the cache has none. Default: "go".
	Go string
}
