// Package regularfile reads files that the user names, if they are regular files of a bounded
// length: a device may have no end, and a pipe no writer.
//
//	text, err := regularfile.Read("ca.pem", 16<<20)
package regularfile

import (
	"fmt"
	"os"
)

// Check returns an error unless a file is a regular one of at most so many bytes.
func Check(name string, most int64) error {
	st, err := os.Stat(name)
	switch {
	case err != nil:
		return err
	case !st.Mode().IsRegular():
		return fmt.Errorf("%s: is not a regular file", name)
	case st.Size() > most:
		return fmt.Errorf("%s: is longer than %d MiB", name, most>>20)
	}
	return nil
}

// Read returns the content of a file that Check accepts.
func Read(name string, most int64) ([]byte, error) {
	if err := Check(name, most); err != nil {
		return nil, err
	}
	return os.ReadFile(name)
}
