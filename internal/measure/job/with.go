package job

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tarebench/tare/record"
)

// maxWith bounds a file that is put into revisions, in bytes.
const maxWith = 16 << 20

// filesWith returns what --with names: files in dir that each revision is to be given at the same path. It fails for
// what lies elsewhere, or is no regular file.
func filesWith(dir string, paths []string) ([]record.AddedFile, error) {
	var out []record.AddedFile
	for _, path := range paths {
		rel := path
		if filepath.IsAbs(path) {
			var err error
			if rel, err = filepath.Rel(dir, path); err != nil {
				return nil, fmt.Errorf("--with %s: %w", path, err)
			}
		}
		if !filepath.IsLocal(rel) {
			return nil, fmt.Errorf("--with %s: lies outside of the current directory", path)
		}
		_, sum, err := ReadFile(filepath.Join(dir, rel))
		if err != nil {
			return nil, fmt.Errorf("--with %s: %w", path, err)
		}
		out = append(out, record.AddedFile{Path: filepath.ToSlash(filepath.Clean(rel)), SHA256: sum})
	}
	return out, nil
}

// ReadFile returns the content of a file of With, and its SHA-256 in hexadecimal. It fails for what is no regular
// file of at most 16 MiB.
func ReadFile(path string) (content []byte, sum string, err error) {
	st, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, "", fmt.Errorf("no such file")
	case !st.Mode().IsRegular() || st.Size() > maxWith:
		return nil, "", fmt.Errorf("is no regular file of at most %d MiB", maxWith>>20)
	}
	if content, err = os.ReadFile(path); err != nil {
		return nil, "", err
	}
	digest := sha256.Sum256(content)
	return content, hex.EncodeToString(digest[:]), nil
}
