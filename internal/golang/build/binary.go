package build

import (
	"fmt"
	"time"

	"github.com/tarebench/tare/internal/base/tempdir"
)

// Binary is a test binary that is ready to run.
type Binary struct {
	Pkg     string // import path
	Version string // of the package's module, see [Package]
	Path    string // absolute; named after its content, so that the file never changes
	SHA256  string // of the file, hexadecimal
	BuildID string // Go's
	Size    int64  // the package's directory, in which its forks run
	Dir     string // in which its forks run: the package's
	Go      string // version of Go that built it, such as "go1.26.8" or "go1.26.8 X:greenteagc"

	// Root is the GOROOT of the Go that built it. The binary does not know it, because paths are trimmed.
	Root string

	// Settings are what it was built with, by the names of go version -m: "-race": "true", "GOAMD64": "v3". The values of
	// flags such as -ldflags may contain secrets. The value of -pgo is a hash of the profile.
	Settings map[string]string

	Cached   bool          // the existing binary was up to date
	Took     time.Duration // duration of Build
	Uncached error         // why it is in a temporary directory; nil: it is in the cache

	temp *tempdir.Place // nil: it is in the cache
}

// Touch marks the binary as used, so that no other process removes it within a day. Build does the same; a longer
// run repeats it.
func (b Binary) Touch() error {
	if err := touch(b.Path); err != nil {
		return fmt.Errorf("binary of %s: %w", b.Pkg, err)
	}
	return nil
}

// Close removes the binary if it could not be kept in the cache.
func (b Binary) Close() error {
	return b.temp.Remove()
}
