package objfile

import (
	"bytes"
	"compress/zlib"
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// debugSection is a section of debug data.
type debugSection struct {
	name string // as in the file's format
	size uint64 // bytes that open returns; may be wrong in a damaged file
	open func() io.Reader
}

// maxDebug limits the uncompressed debug data of a file, in bytes.
const maxDebug = 1 << 30

// dwarf returns the debug data. It reads it once.
func (f *File) dwarf() (*dwarf.Data, error) { return f.debug.get(f.readDwarf) }

// readDwarf reads the sections of debug data for types, functions and lines. It does not read the locations
// of variables.
func (f *File) readDwarf() (*dwarf.Data, error) {
	d, err := f.parseDwarf()
	switch {
	case errors.Is(err, ErrNoDebugData):
		return nil, fmt.Errorf("%s: %w", f.path, err)
	case err != nil:
		return nil, fmt.Errorf("%s: debug data: %w", f.path, err)
	}
	return d, nil
}

func (f *File) parseDwarf() (*dwarf.Data, error) {
	if e, ok := f.format.(elfFile); ok && e.Type == elf.ET_REL && e.Section(".debug_info") != nil {
		return e.DWARF() // applies relocations of an object file
	}
	part := map[string][]byte{}
	room := uint64(maxDebug)
	for _, s := range f.debugSections() {
		name, packed, wanted := debugName(s.name)
		if !wanted {
			continue
		}
		b, err := s.read(packed, room)
		if err != nil {
			return nil, fmt.Errorf("section %s: %w", s.name, err)
		}
		part[name] = b
		room -= uint64(len(b))
	}
	if len(part["info"]) == 0 {
		return nil, ErrNoDebugData
	}
	d, err := dwarf.New(part["abbrev"], nil, nil, part["info"], part["line"], nil, part["ranges"], part["str"])
	if err != nil {
		return nil, err
	}
	if len(part["types"]) > 0 {
		if err := d.AddTypes("types", part["types"]); err != nil {
			return nil, err
		}
	}
	for _, name := range []string{"addr", "line_str", "str_offsets", "rnglists"} {
		if err := d.AddSection(".debug_"+name, part[name]); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// debugName returns the generic name of a section of debug data, and whether it is compressed in the old GNU
// format: .debug_info, .zdebug_info, __debug_info. Mach-O truncates names.
func debugName(section string) (name string, packed, wanted bool) {
	const machoName = 16
	for _, name := range []string{"abbrev", "info", "str", "line", "ranges", "types", "addr", "line_str", "str_offsets", "rnglists"} {
		plain, packed := "debug_"+name, "zdebug_"+name
		switch section {
		case "." + plain, cut("__"+plain, machoName):
			return name, false, true
		case "." + packed, cut("__"+packed, machoName):
			return name, true, true
		}
	}
	return "", false, false
}

func cut(s string, n int) string { return s[:min(n, len(s))] }

// read reads at most room bytes of a section. Memory grows with the data read, not with the stated size.
func (s debugSection) read(packed bool, room uint64) ([]byte, error) {
	r, size := s.open(), s.size
	if packed { // "ZLIB" and the size; the format before SHF_COMPRESSED
		var head [12]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return nil, err
		}
		if string(head[:4]) != "ZLIB" {
			return nil, errors.New("damaged: unknown compression")
		}
		size = binary.BigEndian.Uint64(head[4:])
		z, err := zlib.NewReader(r)
		if err != nil {
			return nil, err
		}
		r = z
	}
	if size > room {
		return nil, fmt.Errorf("too large: %d bytes of debug data, limit %d MiB", size, maxDebug>>20)
	}
	var b bytes.Buffer
	b.Grow(int(min(size, 16<<20)) + bytes.MinRead)
	n, err := b.ReadFrom(io.LimitReader(r, int64(size)))
	if err == nil && uint64(n) < size {
		err = io.ErrUnexpectedEOF
	}
	return b.Bytes(), err
}

func (f elfFile) debugSections() (list []debugSection) {
	for _, s := range f.Sections {
		size, open := s.Size, func() io.Reader { return s.Open() }
		if strings.HasPrefix(s.Name, ".zdebug_") { // Open would decompress it without a limit
			size, open = s.FileSize, func() io.Reader { return io.NewSectionReader(s.ReaderAt, 0, int64(s.FileSize)) }
		}
		list = append(list, debugSection{s.Name, size, open})
	}
	return list
}

func (f machoFile) debugSections() (list []debugSection) {
	for _, s := range f.Sections {
		list = append(list, debugSection{s.Name, s.Size, func() io.Reader { return s.Open() }})
	}
	return list
}

func (f peFile) debugSections() (list []debugSection) {
	for _, s := range f.Sections {
		size := s.Size
		if s.VirtualSize > 0 {
			size = min(size, s.VirtualSize) // the rest is padding
		}
		list = append(list, debugSection{s.Name, uint64(size), func() io.Reader { return s.Open() }})
	}
	return list
}
