// Package repository finds the repository that the programs of this module work on.
package repository

import (
	"errors"
	"os"
	"path/filepath"
)

// Enter makes the root of the repository the current directory: the programs' paths, in arguments and in what they print, are
// relative to it. It is searched for from the current directory upwards, because go -C dev run begins in dev.
func Enter() error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "dev", "repository")); err == nil {
			return os.Chdir(dir)
		}
		above := filepath.Dir(dir)
		if above == dir {
			return errors.New("run it in a checkout of tare")
		}
		dir = above
	}
}
