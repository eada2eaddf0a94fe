package toolchain

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
)

// Overlay maps files that go replaces to the files it reads instead, all by absolute path. An empty target makes go
// treat the file as missing.
type Overlay map[string]string

// OverlayError is an error about the file of a flag -overlay.
type OverlayError struct {
	File string // as in the flag
	Why  string
	Err  error // the cause, or nil
}

func (e *OverlayError) Error() string { return "-overlay=" + e.File + " " + e.Why }
func (e *OverlayError) Unwrap() error { return e.Err }

// ReadOverlay reads the overlay that flags name for a go command running in dir, an absolute path. It returns nil if
// they name none. Its error is an [*OverlayError].
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
		return nil, &OverlayError{file, "is not an overlay: " + err.Error(), err}
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

// ReadFile reads a file or its replacement.
func (o Overlay) ReadFile(path string) ([]byte, error) {
	to, ok := o[filepath.Clean(path)]
	switch {
	case !ok:
		return os.ReadFile(path)
	case to == "":
		return nil, fmt.Errorf("%s: removed by the overlay: %w", path, fs.ErrNotExist)
	}
	return os.ReadFile(to)
}

// Rerooted returns the overlay with the files of a toolchain at root renamed to paths below other, a second name of
// root; see [ReplaceableRoot].
func (o Overlay) Rerooted(root, other string) Overlay {
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

// encode returns the overlay as the JSON that go's flag -overlay reads.
func (o Overlay) encode() (string, error) {
	text, err := json.MarshalIndent(map[string]any{"Replace": o}, "", "\t")
	return string(text) + "\n", err
}

// WriteFile writes the overlay to a file for go's flag -overlay.
func (o Overlay) WriteFile(path string) error {
	text, err := o.encode()
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o666)
}

// without returns the overlay without the files that the patch contains.
func (o Overlay) without(p *Patch) Overlay {
	out := maps.Clone(o)
	for _, f := range p.files {
		delete(out, f.path)
	}
	return out
}

// InDir returns the absolute path of a path that is relative to dir.
func InDir(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
