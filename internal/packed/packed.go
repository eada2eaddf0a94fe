// Package packed keeps texts in the command at a third of their size, which has a limit. The texts are files of the
// repository; package pack writes them into one file, which is embedded:
//
//	//go:generate go run ../packed/pack texts.gz *.js
//
//	//go:embed texts.gz
//	var textsFile []byte
//	var texts = packed.New(textsFile)
//
// A test holds that file against the texts, by [Texts.Stale]: it says when go generate must run.
package packed

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"

	"golang.org/x/tools/txtar"
)

// Texts are files by their paths, which have slashes.
type Texts struct {
	read func() *txtar.Archive
}

// New returns the texts of what [Pack] returned. They are unpacked when one is asked for first; New does not check them.
func New(packed []byte) *Texts {
	return &Texts{sync.OnceValue(func() *txtar.Archive {
		r, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			panic(fmt.Sprintf("packed: %v", err)) // a part of the program
		}
		text, err := io.ReadAll(r)
		if err != nil {
			panic(fmt.Sprintf("packed: %v", err))
		}
		return txtar.Parse(text)
	})}
}

// ReadFile returns a text.
func (t *Texts) ReadFile(name string) ([]byte, error) {
	for _, f := range t.read().Files {
		if f.Name == name {
			return f.Data, nil
		}
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// Text returns a text that the program cannot be without. It panics if there is none.
func (t *Texts) Text(name string) string {
	text, err := t.ReadFile(name)
	if err != nil {
		panic(fmt.Sprintf("packed: %v", err))
	}
	return string(text)
}

// In returns the names of the texts in a directory, without it, in the order of the alphabet.
func (t *Texts) In(dir string) []string {
	var out []string
	for _, f := range t.read().Files {
		if path.Dir(f.Name) == dir {
			out = append(out, path.Base(f.Name))
		}
	}
	return out
}

// Pack packs the files that match globs, in the order of their names for each. Go files lose their comments.
func Pack(files fs.FS, globs ...string) ([]byte, error) {
	a, err := archive(files, globs)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(txtar.Format(a)); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// comments are lines that are comments. No source has one within a raw string.
var comments = regexp.MustCompile(`(?m)^[\t ]*//.*\n`)

// onlyDirective drops a line unless it is for the compiler: nobody reads these files where they end up.
func onlyDirective(line []byte) []byte {
	if text := bytes.TrimLeft(line, "\t "); bytes.HasPrefix(text, []byte("//go:")) || bytes.HasPrefix(text, []byte("//line ")) {
		return line
	}
	return nil
}

func archive(files fs.FS, globs []string) (*txtar.Archive, error) {
	a := new(txtar.Archive)
	for _, g := range globs {
		names, err := fs.Glob(files, g)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := fs.ReadFile(files, name)
			if err != nil {
				return nil, err
			}
			if bytes.HasPrefix(text, []byte("-- ")) || bytes.Contains(text, []byte("\n-- ")) || !bytes.HasSuffix(text, []byte("\n")) {
				return nil, fmt.Errorf("%s cannot be packed: a line begins with --, or the last does not end", name)
			}
			if path.Ext(name) == ".go" {
				text = comments.ReplaceAllFunc(text, onlyDirective)
			}
			a.Files = append(a.Files, txtar.File{Name: name, Data: text})
		}
	}
	if len(a.Files) == 0 {
		return nil, fmt.Errorf("no file matches %s", strings.Join(globs, " "))
	}
	return a, nil
}

// Stale returns an error if the texts are not those that Pack would pack now.
func (t *Texts) Stale(files fs.FS, globs ...string) error {
	want, err := archive(files, globs)
	if err != nil {
		return err
	}
	if !bytes.Equal(txtar.Format(want), txtar.Format(t.read())) {
		return fmt.Errorf("the texts in the command are not those of the files: run go generate in this package")
	}
	return nil
}
