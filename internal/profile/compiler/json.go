package compiler

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/tarebench/tare/record"
)

// diagnostic is a line of the compiler's JSON: a diagnostic of the Language Server Protocol.
type diagnostic struct {
	Range   span
	Code    string
	Message string
	Related []struct {
		Location struct {
			URI   string
			Range span
		}
		Message string
	} `json:"relatedInformation"`
}

type span struct {
	Start struct{ Line, Character int }
}

// header is the first line of a file.
type header struct {
	Package string // import path
	File    string
	Version *int `json:"version"`
}

// kinds are the diagnostics that become notes.
var kinds = map[string]string{
	"escape": record.NoteEscape, "escapes": record.NoteEscape,
	"isInBounds": record.NoteBounds, "isSliceInBounds": record.NoteSliceBounds,
	"copy": record.NoteCopy, "cannotInlineCall": record.NoteCallKept,
}

// readJSON reads the notes below the directory that the compiler wrote. There is none if the packages have no
// functions. The compiler names each file after the source, without its directory. So code of another package may have
// overwritten that of a file of the same name: taken names these files, by package.
func readJSON(dir string) (notes []rawNote, taken map[[2]string]bool, err error) {
	taken = map[[2]string]bool{}
	err = filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		defer f.Close()
		h, found, err := parseJSON(f)
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(file), err)
		}
		if name, own := fileOf(h.Package, h.File); own {
			notes = append(notes, found...)
		} else {
			taken[[2]string{h.Package, name}] = true
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return notes, taken, err
}

// parseJSON reads the notes of one source file.
func parseJSON(r io.Reader) (h header, notes []rawNote, err error) {
	dec := json.NewDecoder(r)
	if err := dec.Decode(&h); err != nil {
		return h, nil, err
	}
	if h.Version == nil || *h.Version != 0 {
		return h, nil, errors.New("the compiler's JSON has another version than 0")
	}
	name, _ := fileOf(h.Package, h.File)
	for {
		var d diagnostic
		if err := dec.Decode(&d); errors.Is(err, io.EOF) {
			return h, notes, nil
		} else if err != nil {
			return h, nil, err
		}
		kind, ok := kinds[d.Code]
		if !ok || kind == record.NoteEscape && d.Message == "" { // without a message it repeats one that has it
			continue
		}
		notes = append(notes, d.note(kind, h.Package, name))
	}
}

// maxWhy is how many steps of the way by which a value escapes are kept.
const maxWhy = 12

// note converts a diagnostic.
func (d *diagnostic) note(kind, pkg, file string) rawNote {
	n := rawNote{pkg: pkg, file: file, column: d.Range.Start.Character}
	n.Kind, n.Line, n.Text = kind, d.Range.Start.Line, plain(d.Message)
	flow := false
	for _, r := range d.Related {
		at := record.CompilerPlace{File: path.Base(r.Location.URI), Line: r.Location.Range.Start.Line}
		switch step, ok := strings.CutPrefix(r.Message, "escflow:"); {
		case ok:
			flow = true
			if step = plain(step); len(n.Why) < maxWhy && step != "" {
				if strings.HasPrefix(step, "from ") {
					step += fmt.Sprintf(" (%s:%d)", at.File, at.Line)
				}
				n.Why = append(n.Why, step)
			}
		case r.Message == "inlineLoc" && !flow: // those behind a step are of the step
			n.Inlined = append(n.Inlined, at)
		}
	}
	return n
}
