// Package scratch is where a run has what only it needs: directories, and files that a
// program maps into its memory.
//
//	dir, err := scratch.Dir("trace")
//	defer dir.Remove()
//
//	file, err := tempdir.File("calls", head, 64<<20) // head, and zeros up to 64 MiB
//	defer file.Remove()
//	// the program gets file.Path in its environment
//
// # A file is there, or an error is
//
// All of a file is written before anybody uses it. One that is only as long as it should
// be takes space when a program writes to it, and where there is none the program dies of
// SIGBUS.
//
// # What a run that was killed leaves
//
// Nobody can tidy up after SIGKILL but who comes next. So the process that makes a
// place keeps a lock on it (flock), which the system releases however that process
// ends. Each new place begins with a look at those that others of the same user left:
// one whose lock is free is removed. A lock says more than the number of a process, which
// may be another's by now, or another container's.
//
// The program that uses a place needs no lock, nor to keep a descriptor open: what it
// has mapped stays in its memory when the name is gone. It may be started by another program,
// such as go test, since a name in the environment finds its way.
//
// Where there is no flock, on Windows and some network file systems, such places stay.
package tempdir
