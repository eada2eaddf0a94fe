//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package tempdir

import (
	"os"
	"regexp"
)

// placeName matches no name, because removeLeft removes nothing.
var placeName = regexp.MustCompile(`$^`)

// hold does nothing: this system has no flock.
func hold(*os.File) (*os.File, error) { return nil, nil }

// removeLeft does nothing: without locks it cannot know which directories are still in use.
func removeLeft(string) {}

// giveName does nothing, because removeLeft searches for no names.
func giveName(*Place) error { return nil }

// putMark does nothing, because removeLeft searches for no marks.
func putMark(*Place) error { return nil }

// markName returns "": there are no marks.
func markName(os.FileInfo) string { return "" }
