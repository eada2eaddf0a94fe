package build

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
)

// readBuildID reads Go's build ID from a binary, as `go tool buildid` does
// (cmd/internal/buildid): from a note in ELF files, elsewhere from a marked
// string that the linker puts before the code. A binary linked with an empty
// one has the ID "".
func readBuildID(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if id, err := elfBuildID(f); err == nil {
		return id, nil
	}
	return textBuildID(f)
}

// elfBuildID reads the note .note.go.buildid: three words (length of the name,
// length of the ID, type), the name "Go\0\0", the ID.
func elfBuildID(f *os.File) (string, error) {
	ef, err := elf.NewFile(f)
	if err != nil {
		return "", err
	}
	s := ef.Section(".note.go.buildid")
	if s == nil {
		return "", errors.New("no build ID note")
	}
	note, err := s.Data()
	if err != nil {
		return "", err
	}
	const header = 16
	if len(note) < header || string(note[12:16]) != "Go\x00\x00" {
		return "", errors.New("not a Go build ID note")
	}
	n := ef.ByteOrder.Uint32(note[4:])
	if int64(n) > int64(len(note)-header) {
		return "", errors.New("build ID note is cut off")
	}
	return string(note[header : header+n]), nil
}

func textBuildID(f *os.File) (string, error) {
	const (
		mark  = "\xff Go build ID: "
		limit = 64 << 10 // the linker puts it at the start of the text
	)
	head, err := io.ReadAll(io.NewSectionReader(f, 0, limit))
	if err != nil {
		return "", err
	}
	_, rest, found := bytes.Cut(head, []byte(mark))
	if !found {
		return "", nil
	}
	end := bytes.Index(rest, []byte("\n \xff"))
	if end < 0 {
		return "", errors.New("build ID is cut off")
	}
	id, err := strconv.Unquote(string(rest[:end]))
	if err != nil {
		return "", fmt.Errorf("build ID %s: %w", rest[:end], err)
	}
	return id, nil
}
