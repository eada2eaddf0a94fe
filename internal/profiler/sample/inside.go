package sample

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
)

// insideTexts are what looks at the goroutines from within: files of package runtime.
//
//go:embed _runtime/*.go
var insideTexts embed.FS

const insideDir = "_runtime"

// ErrUnfit is wrapped by the error of a toolchain whose programs cannot be looked at from
// within.
var ErrUnfit = errors.New("programs of this toolchain cannot be looked at from within")

// Toolchain is what builds a program, as `go env` knows it.
type Toolchain struct {
	Root    string // GOROOT
	Version string // GOVERSION, for errors
	OS      string // GOOS of what is built
	Arch    string // GOARCH
}

// Inside is the half of the sampler that works in the program: some more files of package
// runtime, and calls to them in its signal handler and its CPU profiler, for one build. It does nothing unless the
// environment asks for it, and then nothing between two looks.
type Inside struct{ dir string } // of package runtime

// NewInside finds out whether programs of a toolchain can have it: whether its runtime
// has what the half in the process calls, with the same types. Else the error wraps
// [ErrUnfit].
func NewInside(t Toolchain) (*Inside, error) {
	if err := served(t.OS, t.Arch); err != nil {
		return nil, err
	}
	dir := filepath.Join(t.Root, "src", "runtime")
	if err := fits(dir); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrUnfit, t.Version, err)
	}
	return &Inside{dir}, nil
}

func served(goos, goarch string) error {
	if !slices.Contains([]string{"linux", "darwin"}, goos) || !slices.Contains([]string{"amd64", "arm64"}, goarch) {
		return fmt.Errorf("%w: on %s/%s", ErrUnfit, goos, goarch)
	}
	return nil
}

// Write puts the files below dir, where they are found again by the next Write, and
// returns what is to be replaced by what, as in a file for go's flag -overlay.
func (in *Inside) Write(dir string) (map[string]string, error) {
	list, err := insideTexts.ReadDir(insideDir)
	if err != nil {
		return nil, err // it is compiled in
	}
	replace := map[string]string{}
	for _, f := range list {
		text, err := insideTexts.ReadFile(insideDir + "/" + f.Name())
		if err != nil {
			return nil, err
		}
		path, err := keep(dir, f.Name(), text)
		if err != nil {
			return nil, err
		}
		replace[filepath.Join(in.dir, f.Name())] = path
	}
	for _, file := range hookedFiles() {
		from := filepath.Join(in.dir, file)
		text, err := os.ReadFile(from)
		if err != nil {
			return nil, fmt.Errorf("sample: %w", err)
		}
		if text, err = hooked(file, text); err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrUnfit, from, err)
		}
		if replace[from], err = keep(dir, file, text); err != nil {
			return nil, err
		}
	}
	return replace, nil
}

// hook is what a function of a file does before all else.
type hook struct{ file, fn, call string }

// hooks are those of package runtime.
var hooks = []hook{
	{"signal_unix.go", "sighandler", " tareSampleSignal(sig, info, ctxt, gp)"},
	{"cpuprof.go", "SetCPUProfileRate", " if tareSampleRate(hz) { return }"},
	{"cpuprof.go", "runtime_pprof_readProfile", " if tareSampleProfiles() { return tareSampleRead() }"},
}

func hookedFiles() (files []string) {
	for _, h := range hooks {
		if !slices.Contains(files, h.file) {
			files = append(files, h.file)
		}
	}
	return files
}

// hooked puts the calls into a file, without another line.
func hooked(file string, text []byte) ([]byte, error) {
	for _, h := range hooks {
		if h.file != file {
			continue
		}
		at, err := bodyOf(h.fn, text)
		if err != nil {
			return nil, err
		}
		text = slices.Insert(text, at, []byte(h.call)...)
	}
	return text, nil
}

// bodyOf is where the body of a function begins.
func bodyOf(name string, text []byte) (int, error) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, "", text, parser.SkipObjectResolution)
	if err != nil {
		return 0, err
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == name && fn.Body != nil {
			return files.Position(fn.Body.Lbrace).Offset + 1, nil
		}
	}
	return 0, fmt.Errorf("it has no %s", name)
}

// keep writes a file that is named after its content, too, unless it is there.
func keep(dir, name string, text []byte) (string, error) {
	sum := sha256.Sum256(text)
	path := filepath.Join(dir, hex.EncodeToString(sum[:8])+"-"+name)
	if have, err := os.ReadFile(path); err == nil && bytes.Equal(have, text) {
		return path, nil
	}
	if err := replaceFile(path, text); err != nil {
		return "", fmt.Errorf("sample: %w", err)
	}
	return path, nil
}

// Overlay writes the file for go's flag -overlay, too, and returns its path. The
// programs that are built with it are those of the same go command. also are files that the
// build replaces itself; those of the sampler's must not be among them.
func (in *Inside) Overlay(dir string, also map[string]string) (string, error) {
	replace, err := in.Write(dir)
	if err != nil {
		return "", err
	}
	for from, to := range also {
		if replace[from] != "" {
			return "", fmt.Errorf("sample: the build's own -overlay replaces %s, too", from)
		}
		replace[from] = to
	}
	text, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return "", err
	}
	return keep(dir, "overlay.json", text)
}

// replaceFile writes a file that others may read, or write, at the same time.
func replaceFile(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".new-")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(0o666), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
