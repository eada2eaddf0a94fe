package objfile

import (
	"bytes"
	"debug/elf"
	"encoding/hex"
	"strings"
)

// BuildID returns the build ID of the file: GNU's in hexadecimal digits, as perf and pprof write it, or the
// UUID of a Mach-O file, or else Go's, which contains slashes. It is "" if there is none.
func (f *File) BuildID() string {
	gnu, build := f.BuildIDs()
	if gnu != "" {
		return gnu
	}
	return build
}

// BuildIDs returns the build IDs of the file, "" for a missing one: that of the format (GNU's, or the UUID of
// Mach-O; in hexadecimal digits), and Go's.
func (f *File) BuildIDs() (format, build string) {
	switch o := f.format.(type) {
	case elfFile:
		return hex.EncodeToString(o.note(".note.gnu.build-id", "GNU\x00", 3)), string(o.note(".note.go.buildid", "Go\x00\x00", 4))
	case machoFile:
		return hex.EncodeToString(o.uuid()), f.textBuildID()
	}
	return "", f.textBuildID()
}

// maxNote limits the size of a section with a build ID, in bytes.
const maxNote = 64 << 10

// note returns the content of an ELF note: 32-bit lengths of name and content, the kind, then both, padded
// to 4 bytes. It returns nil if there is none.
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

// uuid returns the UUID that Mach-O linkers write, or nil.
func (f machoFile) uuid() []byte {
	const command, header, size = 0x1b, 8, 16 // LC_UUID of mach-o/loader.h
	for _, l := range f.Loads {
		if raw := l.Raw(); len(raw) >= header+size && f.ByteOrder.Uint32(raw) == command {
			return raw[header : header+size]
		}
	}
	return nil
}

// textBuildID returns Go's build ID in formats without notes: a string at the beginning of the code.
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
