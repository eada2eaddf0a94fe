package gocmd

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Overlay says which files go shall read in the place of others: absolute paths to
// absolute paths, or to "" for a file that is not to be there.
type Overlay map[string]string

// OverlayError is what is wrong with the file that a flag -overlay names.
type OverlayError struct {
	File string // as the flag has it
	Why  string
	Err  error // if another one is the cause
}

func (e *OverlayError) Error() string { return "-overlay=" + e.File + " " + e.Why }
func (e *OverlayError) Unwrap() error { return e.Err }

// ReadOverlay is the overlay that the flags of a go command that runs in dir, an
// absolute path, ask for; nil if they ask for none. The error is an [*OverlayError].
func ReadOverlay(dir string, flags Flags) (Overlay, error) {
	file, _ := flags.Last("overlay")
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(InDir(dir, file))
	if err != nil {
		return nil, &OverlayError{file, "cannot be read: " + err.Error(), err}
	}
	var own struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &own); err != nil {
		return nil, &OverlayError{file, "is no overlay: " + err.Error(), err}
	}
	o := make(Overlay)
	for from, to := range own.Replace {
		if from == "" {
			return nil, &OverlayError{file, "replaces a file without a name", nil}
		}
		if to != "" {
			to = InDir(dir, to)
		}
		o[InDir(dir, from)] = to
	}
	return o, nil
}

// ReadFile reads a file, or what is in its place.
func (o Overlay) ReadFile(path string) ([]byte, error) {
	to, ok := o[filepath.Clean(path)]
	switch {
	case !ok:
		return os.ReadFile(path)
	case to == "":
		return nil, fmt.Errorf("%s: the overlay takes it away: %w", path, fs.ErrNotExist)
	}
	return os.ReadFile(to)
}

// Rooted gives the files of a toolchain that are replaced the paths that they have below
// its other name, see [Outside].
func (o Overlay) Rooted(root, other string) Overlay {
	if root == other {
		return o
	}
	out := make(Overlay, len(o))
	for from, to := range o {
		if rest, ok := strings.CutPrefix(from, root+string(filepath.Separator)); ok {
			from = filepath.Join(other, rest)
		}
		out[from] = to
	}
	return out
}

// InDir is the absolute path of what go, running in dir, calls path.
func InDir(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
