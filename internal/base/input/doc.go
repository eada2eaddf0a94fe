// Package input opens what verbs read: files that were named, and standard input.
//
//	in, err := input.Open(path, stdin) // - is standard input
//	defer in.Close()
//	r, err := result.Read(in, in.Name)
//
// A name may stand for something that has no content or no end. [Open] fails within
// seconds for a directory, a device, a socket, and a named pipe that no process writes to.
package input
