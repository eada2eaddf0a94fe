package layout

import (
	"go/types"
	"math/bits"
	"strings"

	"github.com/tarebench/tare/footprint"
)

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

	Path string `json:"-"` // the name, behind those of the fields around it
	hot  spot   // what several goroutines write of it, from the beginning of the struct; none of an open field
}

// Added reports whether the field is padding that the compiler adds.
func (f Field) Added() bool { return f.Name == "" }

// Hot reports whether several goroutines write the field, or something in it that is not listed as a field.
func (f Field) Hot() bool { return f.Role.Hot() && !f.Open }

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

// Measure returns the layout of a struct. line is the size of a cache line in bytes; 128 is what pairs of lines that are
// fetched together take. With separate, atomic fields are also laid out on cache lines of their own.
func Measure(n *Node, line int64, separate bool) *Struct {
	s := &Struct{
		Name: n.Name, Path: n.Path, Where: n.Where, Arch: n.Arch,
		Size: n.Size, Align: n.Align, Line: line, Lines: Lines(n.Size, line), Block: blockOf(n),
		Fields: addFields([]Field{}, n, Field{Depth: -1}), Best: best(n),
	}
	s.Shared = sharing(s.Fields, n.Size, line)
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
	if separate {
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
	return types.SizesFor("gc", arch).Sizeof(types.Typ[types.Uintptr])
}

// addFields lists the fields of a struct that lies within another field, and the padding
// between and behind them.
func addFields(list []Field, n *Node, around Field) []Field {
	end, depth := int64(0), around.Depth+1
	gap := func(to int64) {
		if to > end {
			list = append(list, Field{Offset: around.Offset + end, Size: to - end, Depth: depth})
		}
	}
	for i := range n.Fields {
		f := &n.Fields[i]
		gap(f.Offset)
		shown := Field{
			Name: f.Name, Type: f.Type, Offset: around.Offset + f.Offset, Size: f.Size, Align: f.Align, Depth: depth, Role: f.Role,
			Open: f.Open && len(f.Fields) > 0, Path: strings.TrimPrefix(around.Path+"."+f.Name, "."),
		}
		shown.Misaligned = f.Unsafe64 && WordSize(n.Arch) == 4 && shown.Offset%8 != 0
		if s := f.hottest(); s.role != Plain && !shown.Open {
			shown.Role, shown.Within = s.role, f.Role == Plain
			shown.hot = spot{s.role, shown.Offset + s.from, shown.Offset + s.to, s.each}
		}
		list = append(list, shown)
		if shown.Open {
			list = addFields(list, f, shown)
		}
		end = f.Offset + f.Size
	}
	gap(n.Size)
	return list
}

// sharing returns the cache lines that contain a field written by several goroutines, with the other fields on
// them. A field of another package's type is one: the layout inside is that package's concern.
func sharing(fields []Field, size, line int64) []Shared {
	out := []Shared{}
	for l := int64(0); l < Lines(size, line); l++ {
		from, to := l*line, (l+1)*line
		s := Shared{Line: l, Hot: []string{}, Locks: []string{}, Plain: []string{}}
		top := "" // the struct's own field that lies on the line and may be plain
		for _, f := range append(fields, Field{}) {
			if f.Depth == 0 {
				if top != "" {
					s.Plain = append(s.Plain, top)
				}
				top = ""
				if f.Role != Pad && f.Size > 0 && f.Offset < to && f.Offset+f.Size > from {
					top = f.Name
				}
			}
			if f.hot.from >= to || f.hot.to <= from {
				continue
			}
			s.Hot, top = append(s.Hot, f.Path), ""
			if f.hot.role == Lock {
				s.Locks = append(s.Locks, f.Path)
			}
			if each := f.hot.each; each > 0 && each < line {
				s.Each = max(s.Each, min(to, f.hot.to)-max(from, f.hot.from)) / each
			}
		}
		if len(s.Hot) > 0 {
			out = append(out, s)
		}
	}
	return out
}
