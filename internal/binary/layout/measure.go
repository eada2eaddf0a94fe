package layout

import (
	"cmp"
	"math/bits"

	"github.com/tarebench/tare/footprint"
)

// Options says how a layout is computed.
type Options struct {
	Line     int64 // bytes of a cache line; default 64. 128 is what pairs of lines that are fetched together take
	Separate bool  // also lay out atomic fields on separate cache lines
}

// Struct is the layout of one struct. All sizes are in bytes.
type Struct struct {
	Name    string `json:"name"` // without the package
	Path    string `json:"package,omitempty"`
	Where   string `json:"where,omitempty"` // file:line
	Arch    string `json:"arch"`
	Size    int64  `json:"size"`
	Align   int64  `json:"align"`
	Line    int64  `json:"line"`             // bytes of a cache line
	Lines   int64  `json:"lines"`            // how many it touches if it begins with one
	Padding int64  `json:"padding"`          // added by the compiler, at all depths
	Spare   int64  `json:"declared_padding"` // of blank fields, at all depths
	// Block is what the allocator takes for one; 0 if the struct is for a machine
	// of another word size than this one, or has no size.
	Block int64 `json:"block,omitempty"`
	// Packed says that several small objects without pointers share such a block, so that one
	// takes no more than its size.
	Packed bool `json:"packed,omitempty"`
	// Aligned says that its blocks begin with a line.
	Aligned   bool     `json:"aligned"`
	Fields    []Field  `json:"fields"`          // in the order of offsets, with what is between them
	Shared    []Shared `json:"shared"`          // lines that several goroutines write
	Best      *Order   `json:"best,omitempty"`  // the order that takes the least, if it is less
	Separated *Order   `json:"apart,omitempty"` // with atomic fields on separate cache lines
}

// Field is a field, or padding.
type Field struct {
	Name   string `json:"name"` // "" for padding that the compiler adds
	Type   string `json:"type,omitempty"`
	Offset int64  `json:"offset"` // from the beginning of the struct
	Size   int64  `json:"size"`
	Align  int64  `json:"align,omitempty"`
	Depth  int    `json:"depth"` // 0 for the struct's own fields
	Role   Role   `json:"role,omitempty"`
	Open   bool   `json:"open,omitempty"` // its own fields follow, one deeper
	// Within says that not the field itself has the role, but something in it: an
	// element of an array, or a field of a type of another package.
	Within bool `json:"within,omitempty"`
	// Misaligned: functions of sync/atomic panic on it, on this machine.
	Misaligned bool `json:"misaligned,omitempty"`
}

// Added reports whether the field is padding that the compiler adds.
func (f Field) Added() bool { return f.Name == "" }

// Shared is a cache line on which there is something that several goroutines
// write.
type Shared struct {
	Line  int64    `json:"line"`           // its number in the struct
	Hot   []string `json:"hot"`            // fields that several goroutines write
	Locks []string `json:"locks"`          // of these the locks
	Plain []string `json:"plain"`          // other fields on the line
	Each  int64    `json:"each,omitempty"` // how many elements of an array of such fields
}

// Doubtful reports whether several goroutines may write different fields of the line.
func (s Shared) Doubtful() bool { return len(s.Hot) > 1 || s.Each > 1 }

// Measure returns the layout of a struct.
func Measure(n *Node, o Options) *Struct {
	line := cmp.Or(o.Line, 64)
	s := &Struct{
		Name: n.Name, Path: n.Path, Where: n.Where, Arch: n.Arch,
		Size: n.Size, Align: n.Align, Line: line, Lines: Lines(n.Size, line), Block: blockOf(n),
		Fields: addFields([]Field{}, n, 0, 0), Shared: sharing(n, line), Best: best(n),
	}
	for _, f := range s.Fields {
		switch {
		case f.Added():
			s.Padding += f.Size
		case f.Role == Pad:
			s.Spare += f.Size
		}
	}
	header := n.Pointers && n.Size > 512 && n.Size <= 32<<10-8 // the allocator puts 8 bytes in front
	s.Packed = n.Size < s.Block && !n.Pointers && s.Block == tinyBlock
	s.Aligned = !s.Packed && !header && s.Block > 0 && s.Block%line == 0
	if o.Separate {
		s.Separated = separated(n, line)
	}
	return s
}

// tinyBlock is the size of the blocks that objects of less than 16 bytes without pointers share: maxTinySize in
// the runtime's malloc.go.
const tinyBlock = 16

// blockOf returns the size in bytes of the heap block that holds the struct; 0 if it is unknown.
func blockOf(n *Node) int64 {
	if WordSize(n.Arch) != bits.UintSize/8 {
		return 0
	}
	return int64(footprint.BlockBytes(uintptr(n.Size), n.Pointers))
}

// Lines returns how many cache lines a size takes, from the beginning of one.
func Lines(size, line int64) int64 { return up(size, line) / line }

// WordSize returns the size of a pointer on a machine with a name as in GOARCH.
func WordSize(arch string) int64 {
	switch arch {
	case "386", "arm", "mips", "mipsle":
		return 4
	}
	return 8
}

// addFields lists the fields of a struct that lies at an offset, and the padding
// between and behind them.
func addFields(list []Field, n *Node, base int64, depth int) []Field {
	end := int64(0)
	gap := func(to int64) {
		if to > end {
			list = append(list, Field{Offset: base + end, Size: to - end, Depth: depth})
		}
	}
	for i := range n.Fields {
		f := &n.Fields[i]
		gap(f.Offset)
		open := f.Open && len(f.Fields) > 0
		shown := Field{
			Name: f.Name, Type: f.Type, Offset: base + f.Offset, Size: f.Size, Align: f.Align, Depth: depth, Role: f.Role, Open: open,
			Misaligned: f.Unsafe64 && WordSize(n.Arch) == 4 && (base+f.Offset)%8 != 0,
		}
		if s := f.hottest(); s.role != Plain && !open && f.Role == Plain {
			shown.Role, shown.Within = s.role, true
		}
		list = append(list, shown)
		if open {
			list = addFields(list, f, base+f.Offset, depth+1)
		}
		end = f.Offset + f.Size
	}
	gap(n.Size)
	return list
}

// sharing returns the cache lines that contain a field written by several goroutines, with the other fields on
// them.
func sharing(n *Node, line int64) []Shared {
	out := []Shared{}
	spots := n.spots()
	for l := int64(0); l < Lines(n.Size, line); l++ {
		from, to := l*line, (l+1)*line
		s := Shared{Line: l, Hot: []string{}, Locks: []string{}, Plain: []string{}}
		hot := map[int]bool{}
		for _, p := range spots {
			if p.from >= to || p.to <= from {
				continue
			}
			s.Hot = append(s.Hot, p.path)
			hot[p.top] = true
			if p.role == Lock {
				s.Locks = append(s.Locks, p.path)
			}
			if p.each > 0 && p.each < line {
				s.Each = max(s.Each, min(to, p.to)-max(from, p.from)) / p.each
			}
		}
		if len(s.Hot) == 0 {
			continue
		}
		for i, f := range n.Fields {
			if !hot[i] && f.Role != Pad && f.Size > 0 && f.Offset < to && f.Offset+f.Size > from {
				s.Plain = append(s.Plain, f.Name)
			}
		}
		out = append(out, s)
	}
	return out
}
