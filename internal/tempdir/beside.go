package tempdir

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// longestName is how many bytes of a file's name are repeated in the name of the temporary file beside it. File systems
// allow names of 255 bytes.
const longestName = 100

// Beside creates an empty hidden file in the directory of another, whose place it takes when it is complete: see
// [Place.MoveTo]. Its name holds the other's.
func Beside(path string) (*Place, error) {
	dir, name := filepath.Dir(path), filepath.Base(path)
	if len(name) > longestName {
		name = strings.ToValidUTF8(name[:longestName], "")
	}
	tidy(dir)
	return place(func() (string, error) {
		f, err := os.CreateTemp(dir, "."+prefix+name+"-*")
		if err != nil {
			return "", err
		}
		return f.Name(), f.Close()
	})
}

// MoveTo gives the file of a place its final name, and what has that name is replaced. Until then nobody takes
// it for left.
func (p *Place) MoveTo(path string) error {
	err := os.Rename(p.Path, path)
	if p.lock != nil {
		err = errors.Join(err, p.lock.Close())
	}
	return err
}
