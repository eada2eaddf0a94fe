package objfile

import (
	"debug/dwarf"
	"go/types"
	"testing"
)

// TestConvert: what is a struct in debug data alone is none for go/types, and damaged data gives a type, too.
func TestConvert(t *testing.T) {
	number := &dwarf.IntType{BasicType: dwarf.BasicType{CommonType: dwarf.CommonType{ByteSize: 8, Name: "m.Number"}}}
	array := &dwarf.ArrayType{Type: number, Count: -1}
	own := &dwarf.StructType{StructName: "m.Own"}
	own.Field = []*dwarf.StructField{{Name: "own", Type: own}, {Name: "a", Type: array}, {Name: "a", Type: number}, {Type: number}}
	in := func(name string) *dwarf.TypedefType {
		return &dwarf.TypedefType{CommonType: dwarf.CommonType{Name: "x.org/m.Named"}, Type: &dwarf.StructType{StructName: name}}
	}
	holder := func(t dwarf.Type) *dwarf.StructType {
		return &dwarf.StructType{StructName: "x.org/m.T", Field: []*dwarf.StructField{{Name: "f", Type: t}}}
	}
	for _, c := range []struct {
		t    dwarf.Type
		want string
	}{
		{holder(in("runtime.iface")), "struct{f m.Named}: interface{}"},
		{holder(in("[]m.Own")), "struct{f m.Named}: []uint8"},
		{holder(in("string")), "struct{f m.Named}: string"},
		{holder(number), "struct{f m.Number}: uint64"},
		{holder(&dwarf.PtrType{Type: &dwarf.VoidType{}}), "struct{f unsafe.Pointer}: unsafe.Pointer"},
		{holder(&dwarf.PtrType{Type: &dwarf.StructType{StructName: "[]x.org/m.T"}}), "struct{f *[]m.T}: unsafe.Pointer"},
		{own, "struct{own string; a [0]m.Number; _ m.Number; _ m.Number}: string"},
	} {
		st := converter{"other", map[dwarf.Type]bool{}}.convert(c.t).Underlying().(*types.Struct)
		got := types.TypeString(st, (*types.Package).Name) + ": " + st.Field(0).Type().Underlying().String()
		if got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
