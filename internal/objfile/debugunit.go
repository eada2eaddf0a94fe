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

// units are the compilation units of a file that were asked for so far. Whoever reads
// debug data has the lock: package dwarf is not for several goroutines.
type units struct {
	sync.Mutex
	read map[dwarf.Offset]*unit
}

// unit is a compilation unit: its lines and where its functions are described.
type unit struct {
	entry *dwarf.Entry
	rows  []row
	files []*dwarf.LineFile
	funcs []funcRange // by address
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

// unitOf reads the compilation unit with an address.
func (f *File) unitOf(d *dwarf.Data, addr uint64) (*unit, error) {
	r := d.Reader()
	entry, err := r.SeekPC(addr)
	if errors.Is(err, dwarf.ErrUnknownPC) {
		return nil, fmt.Errorf("%w of this function", ErrNoDebugData)
	}
	if err != nil {
		return nil, err
	}
	if u, ok := f.units.read[entry.Offset]; ok {
		return u, nil
	}
	u := &unit{entry: entry}
	if err := u.readLines(d); err != nil {
		return nil, err
	}
	if err := u.readFuncs(d, r); err != nil {
		return nil, err
	}
	if f.units.read == nil {
		f.units.read = map[dwarf.Offset]*unit{}
	}
	f.units.read[entry.Offset] = u
	return u, nil
}

// readLines reads the line table. Where several rows are for one address the last
// counts.
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
		if c := cmp.Compare(a.addr, b.addr); c != 0 || a.end == b.end {
			return c
		}
		if a.end { // what ends there does so before something else begins
			return -1
		}
		return 1
	})
	return nil
}

// readFuncs finds the functions, those in name spaces and classes too. What is
// within functions is skipped.
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

// function finds the description of the function at an address.
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

// lines are the places of the code in a range.
func (u *unit) lines(from, to uint64) (list []Line) {
	i, _ := slices.BinarySearchFunc(u.rows, from, func(r row, addr uint64) int { return cmp.Compare(r.addr, addr) })
	if (i == len(u.rows) || u.rows[i].addr > from) && i > 0 && !u.rows[i-1].end {
		i-- // it reaches into the range
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
