package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/redact"
	"github.com/tarebench/tare/internal/tempdir"
	"github.com/tarebench/tare/internal/termtext"
)

// CheckWritable reports whether a file could be created beside the one that -o
// names. Nothing is left behind.
func CheckWritable(out string) error {
	path, _, err := resolveOutput(out)
	if err != nil {
		return err
	}
	p, err := tempdir.Beside(path)
	if err != nil {
		return cannotWrite(out, err)
	}
	p.Remove()
	return nil
}

// ReplaceFile writes a file beside its name and renames it, so that an existing
// one is never half overwritten. What a killed process left beside it is removed.
func ReplaceFile(out string, write func(*os.File) error) error {
	path, _, err := resolveOutput(out)
	if err != nil {
		return err
	}
	p, err := tempdir.Beside(path)
	if err != nil {
		return err
	}
	defer p.Remove()
	f, err := os.OpenFile(p.Path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return p.MoveTo(path)
}

// CopyFile writes the contents of a file to w.
func CopyFile(w io.Writer, path string) error {
	r, err := os.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	lines := redact.NewLines(termtext.JSON(w))
	_, err = io.Copy(lines, r)
	return errors.Join(err, lines.Flush())
}

// resolveOutput returns the file that -o names, and whether it exists. Links
// are followed, so that what they point to is replaced and not the link.
func resolveOutput(out string) (path string, exists bool, err error) {
	path, err = filepath.EvalSymlinks(out)
	if errors.Is(err, fs.ErrNotExist) {
		return out, false, nil
	}
	var st os.FileInfo
	if err == nil {
		st, err = os.Stat(path)
	}
	switch {
	case err != nil:
		return "", false, cannotWrite(out, err)
	case st.IsDir():
		return "", false, exit.Usage(fmt.Errorf("-o %s: is a directory", out), "name a file in it")
	case !st.Mode().IsRegular():
		return "", false, exit.Usage(fmt.Errorf("-o %s: is not a regular file", out), "--format says what stdout gets")
	}
	return path, true, nil
}

// cannotWrite returns an error that names what was typed, and not a temporary
// file beside it.
func cannotWrite(out string, err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		err = p.Err
	}
	return exit.Usage(fmt.Errorf("-o %s: %w", out, err), "name a file in a directory that can be written to")
}
