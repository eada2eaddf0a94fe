package objfile

import (
	"cmp"
	"debug/dwarf"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
)

// units caches the compilation units that were read. Its lock protects all reading of debug data: package
// dwarf does not support concurrent use.
type units struct {
	sync.Mutex
	read map[dwarf.Offset]*unit
}

// unit is a compilation unit: its line table and functions.
type unit struct {
	entry *dwarf.Entry
	rows  []row
	files []*dwarf.LineFile
	funcs []funcRange // sorted by address
}

// row is an entry of the line table.
type row struct {
	addr uint64
	file *dwarf.LineFile
	line int
	end  bool // no code from here on
}

// funcRange is a range of addresses of a function.
type funcRange struct {
	from, to uint64
	offset   dwarf.Offset
}

// unitOf returns the compilation unit that contains an address.
func (f *File) unitOf(d *dwarf.Data, addr uint64) (*unit, error) {
	r := d.Reader()
	entry, err := r.SeekPC(addr)
	if errors.Is(err, dwarf.ErrUnknownPC) {
		return nil, fmt.Errorf("%w of this function", ErrNoDebugData)
	}
	if err != nil {
		return nil, err
	}
	if u, ok := f.unitCache.read[entry.Offset]; ok {
		return u, nil
	}
	u := &unit{entry: entry}
	if err := u.readLines(d); err != nil {
		return nil, err
	}
	if err := u.readFuncs(d, r); err != nil {
		return nil, err
	}
	if f.unitCache.read == nil {
		f.unitCache.read = map[dwarf.Offset]*unit{}
	}
	f.unitCache.read[entry.Offset] = u
	return u, nil
}

// readLines reads the line table. The last of several rows with the same address counts.
func (u *unit) readLines(d *dwarf.Data) error {
	lr, err := d.LineReader(u.entry)
	if lr == nil || err != nil {
		return err
	}
	u.files = lr.Files()
	for {
		var e dwarf.LineEntry
		if err := lr.Next(&e); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return fmt.Errorf("lines: %w", err)
		}
		u.rows = append(u.rows, row{e.Address, e.File, e.Line, e.EndSequence})
	}
	slices.SortStableFunc(u.rows, func(a, b row) int {
		switch {
		case a.addr != b.addr:
			return cmp.Compare(a.addr, b.addr)
		case a.end == b.end:
			return 0
		case a.end: // a sequence ends before the next begins
			return -1
		}
		return 1
	})
	return nil
}

// readFuncs reads the functions, including those in namespaces and classes. It skips the contents of functions.
func (u *unit) readFuncs(d *dwarf.Data, r *dwarf.Reader) error {
	depth := 0
	if u.entry.Children {
		depth = 1
	}
	for depth > 0 {
		e, err := r.Next()
		if err != nil {
			return err
		}
		switch {
		case e == nil:
			return nil
		case e.Tag == 0:
			depth--
			continue
		case e.Tag == dwarf.TagSubprogram:
			ranges, err := d.Ranges(e)
			if err != nil {
				return err
			}
			for _, x := range ranges {
				u.funcs = append(u.funcs, funcRange{x[0], x[1], e.Offset})
			}
			r.SkipChildren()
		case !e.Children:
		case e.Tag == dwarf.TagNamespace || e.Tag == dwarf.TagModule || e.Tag == dwarf.TagClassType || e.Tag == dwarf.TagStructType:
			depth++
		default:
			r.SkipChildren()
		}
	}
	slices.SortStableFunc(u.funcs, func(a, b funcRange) int { return cmp.Compare(a.from, b.from) })
	return nil
}

// function returns the offset of the function that contains an address.
func (u *unit) function(addr uint64) (dwarf.Offset, bool) {
	i, found := slices.BinarySearchFunc(u.funcs, addr, func(f funcRange, addr uint64) int { return cmp.Compare(f.from, addr) })
	if !found {
		i--
	}
	if i < 0 || addr >= u.funcs[i].to {
		return 0, false
	}
	return u.funcs[i].offset, true
}

// lines returns the source lines of the code in [from, to).
func (u *unit) lines(from, to uint64) (list []Line) {
	i, _ := slices.BinarySearchFunc(u.rows, from, func(r row, addr uint64) int { return cmp.Compare(r.addr, addr) })
	if (i == len(u.rows) || u.rows[i].addr > from) && i > 0 && !u.rows[i-1].end {
		i-- // the row before covers the beginning
	}
	for ; i < len(u.rows) && u.rows[i].addr < to; i++ {
		r := u.rows[i]
		if i+1 < len(u.rows) && u.rows[i+1].addr == r.addr {
			continue
		}
		l := Line{Addr: max(r.addr, from)}
		if r.file != nil && !r.end && r.line > 0 {
			l.File, l.Line = r.file.Name, r.line
		}
		n := len(list)
		if n == 0 && l.Line > 0 || n > 0 && (list[n-1].File != l.File || list[n-1].Line != l.Line) {
			list = append(list, l)
		}
	}
	return list
}
