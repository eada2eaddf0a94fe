// Package tempdir creates temporary directories of a run, and files that a program maps into its memory.
//
//	dir, err := tempdir.Dir("trace")
//	defer dir.Remove()
//
//	file, err := tempdir.File("calls", head, 64<<20) // head, and zeros up to 64 MiB
//	defer file.Remove()
//	// the program gets file.Path in its environment
//
//	part, err := tempdir.Beside("report.html") // a file that becomes report.html when it is complete
//	defer part.Remove()
//
// # Other users
//
// Anybody can create files in a directory of temporary files: a link, a pipe or a directory under a name that tare is going to
// use. Names of places are therefore random, and a place is created only if its name is free. What has a fixed name,
// because several processes must find it, is in the directory of OpenOwn or OwnDir, in which only the user can write, or in that
// of Cache. OpenOwnFile is for a file beside one that the user has named. Where others can
// also rename, in a directory that is writable by all or by a group without the sticky bit, no place is created: another directory is
// used, or none. A group that is one user's alone does not count.
//
// # Space is reserved
//
// File writes the whole file before it is used. A sparse file would take space only when a program writes to
// it, and without free space the program would die of SIGBUS.
//
// # Cleaning up after killed runs
//
// A process that is killed cannot clean up. So the process that creates a place holds a lock on it (flock),
// which the system releases however that process ends. Creating a place first removes the user's other places
// whose lock is free, in the same directory: that of temporary files, or the one that Beside and DirIn are given. A
// process id would not do: it may have been reused, or belong to another container. A place is known by the number of its inode, which
// its name ends with, or which is in the name of an empty file in it. So a file that the user has given a similar name stays, and so
// does a copy of a place.
//
// The program that uses a place needs neither a lock nor an open descriptor: mapped memory stays valid when
// the file is removed. It may be started by another program, such as go test, because it gets the path in its
// environment.
//
// Without flock, on Windows and some network file systems, places of killed runs stay.
package tempdir
