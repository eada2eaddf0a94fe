//go:build !unix

package session

import "os"

const nonblock = 0 // there are no pipes among files

// duplicate opens the file again: there are no descriptors among file names here.
func duplicate(_ int, name string) (*os.File, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
}

func isUnread(error) bool { return false }

// isClosedPipe reports whether a file is a pipe without a reader. On this system only writing to it can show that.
func isClosedPipe(*os.File) bool { return false }
