package objfile

import (
	"cmp"
	"debug/dwarf"
	"fmt"
	"go/types"
	"iter"
	"slices"
)

// Structs lists the struct types that the sources of a file declare.
type Structs struct {
	data *dwarf.Data
	refs []StructRef // by name
}

// StructRef is a struct type of the sources, with its size in bytes.
type StructRef struct {
	Name      string // with the package's whole path, as in Pkg
	Pkg, Base string // path of the package, and the name in it with its arguments
	Size      int64
	offset    dwarf.Offset
}

// Structs returns the struct types. It reads all debug data, which may take seconds for large files.
func (f *File) Structs() (*Structs, error) {
	data, err := f.readDwarf() // not shared: package dwarf does not support concurrent use
	if err != nil {
		return nil, err
	}
	s := &Structs{data: data}
	if err := s.collect(); err != nil {
		return nil, fmt.Errorf("%s: debug data: %w", f.path, err)
	}
	if len(s.refs) == 0 {
		return nil, fmt.Errorf("%s: %w: no struct type in it", f.path, ErrNoDebugData)
	}
	slices.SortStableFunc(s.refs, func(a, b StructRef) int { return cmp.Compare(a.Name, b.Name) })
	s.refs = slices.CompactFunc(s.refs, func(a, b StructRef) bool { return a.Name == b.Name && a.Size == b.Size })
	return s, nil
}

// collect reads the top-level entries of each compilation unit, which contain all Go types.
func (s *Structs) collect() error {
	r := s.data.Reader()
	for {
		e, err := r.Next()
		if err != nil || e == nil {
			return err
		}
		if e.Tag == dwarf.TagCompileUnit {
			continue
		}
		if e.Tag == dwarf.TagStructType {
			name, _ := e.Val(dwarf.AttrName).(string)
			size, sized := e.Val(dwarf.AttrByteSize).(int64)
			declared, _ := e.Val(dwarf.AttrDeclaration).(bool)
			if sized && !declared && isDeclared(name) {
				pkg, base := SplitType(name)
				s.refs = append(s.refs, StructRef{name, pkg, base, size, e.Offset})
			}
		}
		r.SkipChildren()
	}
}

// All yields the types in order of name.
func (s *Structs) All() iter.Seq[StructRef] { return slices.Values(s.refs) }

// Type returns a struct as package go/types has it. Names in arguments are text, with packages as the struct's own
// package writes them.
func (s *Structs) Type(ref StructRef) (types.Type, error) {
	t, err := s.data.Type(ref.offset)
	if err != nil {
		return nil, fmt.Errorf("type %s: debug data: %w", ref.Name, err)
	}
	if _, ok := t.(*dwarf.StructType); !ok {
		return nil, fmt.Errorf("type %s: debug data: %T is not a struct", ref.Name, t)
	}
	return converter{ref.Pkg, map[dwarf.Type]bool{}}.convert(t), nil
}
