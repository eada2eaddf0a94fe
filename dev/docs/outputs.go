package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/tarebench/tare/dev/document"
	"github.com/tarebench/tare/internal/base/env"
	"github.com/tarebench/tare/internal/base/tempdir"
)

// fillDocuments runs the commands of documents and writes what they print into the documents. It
// is called in the repository. With onlyNew blocks that show an output are left alone.
func fillDocuments(paths []string, onlyNew bool, stderr io.Writer) error {
	repository, err := os.Getwd()
	if err != nil {
		return err
	}
	tools, err := tempdir.Dir("docs")
	if err != nil {
		return err
	}
	defer tools.Remove()
	if err := build(tools.Path, stderr); err != nil {
		return err
	}
	f := filler{repository, tools.Path, onlyNew, stderr}
	for _, path := range paths {
		if err := document.Update(path, func(text string) (string, error) { return f.fill(path, text) }); err != nil {
			return err
		}
	}
	return nil
}

// build builds the commands into a directory.
func build(dir string, stderr io.Writer) error {
	for _, c := range []struct{ module, program string }{{".", "./cmd/tare"}, {"full", "./cmd/tare-full"}} {
		cmd := exec.Command("go", "build", "-C", c.module, "-trimpath", "-ldflags=-s -w", "-o", dir, c.program)
		cmd.Stdout, cmd.Stderr = stderr, stderr
		if err := cmd.Run(); err != nil {
			return err
		}
	}
	return nil
}

// filler fills documents.
type filler struct {
	repository, tools string // directories; tools has the command
	onlyNew           bool
	stderr            io.Writer
}

func (f *filler) fill(path, text string) (string, error) {
	dir, err := tempdir.Dir("docs")
	if err != nil {
		return "", err
	}
	defer dir.Remove()
	environ := append(os.Environ(), "PATH="+f.tools+string(filepath.ListSeparator)+os.Getenv("PATH"), "GOBIN="+f.tools, "XDG_STATE_HOME="+filepath.Join(dir.Path, ".state"))
	p, err := newPlace(dir.Path, f.repository, environ, f.stderr)
	if err != nil {
		return "", err
	}
	filled, err := document.Fill(text, func(b *document.Block, s document.Step) (string, error) {
		_, parsed := b.Note("parsed")
		_, long := b.Note("long")
		if parsed || long && b.Lang == "sh" || f.onlyNew && showsOutput(b) {
			return s.Output, nil
		}
		sh, err := p.shell(path, b)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(f.stderr, "$", s.Command)
		out, err := sh.run(s.Command)
		return p.hidePaths(out), err
	})
	if errors.Is(err, document.ErrNoCommand) {
		return text, nil
	}
	if err != nil {
		return "", err
	}
	if filled, err = document.Include(filled, readFile(f.repository)); err != nil {
		return "", err
	}
	if dated, err := document.Replace(filled, "measured", measured(time.Now())); err == nil {
		return dated, nil
	}
	return filled, nil // a document need not say when it was
}

// showsOutput reports whether any step of a block has an output.
func showsOutput(b *document.Block) bool {
	return slices.ContainsFunc(b.Steps(), func(s document.Step) bool { return s.Output != "" })
}

// readFile returns a function that reads a file of the repository.
func readFile(repository string) func(path string) (string, error) {
	return func(path string) (string, error) {
		text, err := os.ReadFile(filepath.Join(repository, filepath.FromSlash(path)))
		return string(text), err
	}
}

// measured is the sentence that says when and where the outputs of a document were made.
func measured(now time.Time) string {
	m := env.Describe()
	return fmt.Sprintf("Outputs are of %s, %s/%s, %s, %d cores, %s. Yours will differ.\n", now.Format("2 January 2006"), runtime.GOOS, runtime.GOARCH, m.CPU, m.Cores, runtime.Version())
}
