package build

import (
	"fmt"
	"os"
	"time"
)

// Binary is a test binary that is ready to run.
type Binary struct {
	Pkg     string // import path
	Version string // of the package's module, see [Package]
	Path    string // absolute; named after its content, so what is there does not change
	SHA256  string // of the file, hexadecimal
	BuildID string // Go's
	Size    int64  // bytes
	Dir     string // where its forks run: the package's directory
	Go      string // version of Go that built it, such as "go1.26.8" or "go1.26.8 X:greenteagc"

	Cached   bool          // it was up to date and was not built anew
	Took     time.Duration // that Build took
	Uncached error         // why it is in a temporary directory and not in the cache, else nil

	temp string
}

// Touch says that the binary is in use, so that no other tare removes it. A
// day's use is granted by Build; a longer run repeats it.
func (b Binary) Touch() error {
	if err := touch(b.Path); err != nil {
		return fmt.Errorf("binary of %s: %w", b.Pkg, err)
	}
	return nil
}

// Close removes the binary if it could not be kept in the cache.
func (b Binary) Close() error {
	if b.temp == "" {
		return nil
	}
	return os.RemoveAll(b.temp)
}
