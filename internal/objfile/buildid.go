package objfile

import (
	"bytes"
	"debug/elf"
	"encoding/hex"
	"strings"
)

// BuildID identifies the build of the file: GNU's build id in hexadecimal digits, as
// perf and pprof write it, or if there is none Go's, which has slashes, or the UUID
// of a Mach-O file. It is "" for a file without any.
func (f *File) BuildID() string {
	gnu, build := f.BuildIDs()
	if gnu != "" {
		return gnu
	}
	return build
}

// BuildIDs are both identities of the file, "" for one that it does not have: that
// of the format (GNU's build id, the UUID of Mach-O; in hexadecimal digits), and
// Go's.
func (f *File) BuildIDs() (format, build string) {
	switch o := f.format.(type) {
	case elfFile:
		return hex.EncodeToString(o.note(".note.gnu.build-id", "GNU\x00", 3)), string(o.note(".note.go.buildid", "Go\x00\x00", 4))
	case machoFile:
		return hex.EncodeToString(o.uuid()), f.textBuildID()
	}
	return "", f.textBuildID()
}

// maxNote bounds a section with a build id.
const maxNote = 64 << 10

// note is the content of a note: three numbers of 32 bits for the lengths of name and
// content and the kind, then both, filled up to 4 bytes.
func (f elfFile) note(section, name string, kind uint32) []byte {
	const header, length = 12, 4
	s := f.Section(section)
	if s == nil || s.Type != elf.SHT_NOTE || s.Size > maxNote {
		return nil
	}
	b, err := s.Data()
	if err != nil || len(b) < header+length {
		return nil
	}
	n, size := f.ByteOrder.Uint32(b), f.ByteOrder.Uint32(b[4:])
	if n != length || f.ByteOrder.Uint32(b[8:]) != kind || string(b[header:header+length]) != name || uint64(size) > uint64(len(b)-header-length) {
		return nil
	}
	return b[header+length:][:size]
}

// uuid is the identity that Mach-O's linkers write.
func (f machoFile) uuid() []byte {
	const command, header, size = 0x1b, 8, 16 // LC_UUID of mach-o/loader.h
	for _, l := range f.Loads {
		if raw := l.Raw(); len(raw) >= header+size && f.ByteOrder.Uint32(raw) == command {
			return raw[header : header+size]
		}
	}
	return nil
}

// textBuildID is Go's build id in formats without notes: a string at the beginning of
// the code.
func (f *File) textBuildID() string {
	s, ok := f.section(textSections...)
	if !ok {
		return ""
	}
	b, err := s.read(s.addr, min(s.size, maxNote))
	if err != nil {
		return ""
	}
	_, b, ok = bytes.Cut(b, []byte("\xff Go build ID: \""))
	id, _, closed := strings.Cut(string(b), "\"\n \xff")
	if !ok || !closed {
		return ""
	}
	return id
}
