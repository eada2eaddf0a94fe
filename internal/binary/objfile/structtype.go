package objfile

import (
	"debug/dwarf"
	"fmt"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"strings"

	"github.com/tarebench/tare/internal/binary/gofunc"
)

// isDeclared reports whether a name is from sources. The compiler makes structs of
// its own: for slices, maps, closures and the shapes of generic code.
func isDeclared(name string) bool {
	pkg, base := SplitType(name)
	base, _, _ = strings.Cut(base, "[")
	return pkg != "" && pkg != "noalg" && !strings.ContainsAny(pkg+base, "<{ *[(") && !strings.Contains(name, "go.shape.")
}

// SplitType divides the name of a type at the dot behind its package: the first one
// behind the last slash in front of arguments. The base has the arguments.
func SplitType(name string) (pkg, base string) {
	head, _, _ := strings.Cut(name, "[")
	slash := strings.LastIndexByte(head, '/') + 1
	dot := strings.IndexByte(head[slash:], '.')
	if dot < 0 {
		return "", name
	}
	return gofunc.Package(name), name[slash+dot+1:]
}

// converter converts types of debug data to types of go/types. Names in arguments are written as the package pkg writes
// them.
type converter struct {
	pkg    string
	around map[dwarf.Type]bool // structs that are being converted: in damaged data one may contain itself
}

func (c converter) convert(t dwarf.Type) types.Type {
	switch t := t.(type) {
	case *dwarf.TypedefType:
		return c.named(t.Name, c.convert(t.Type))
	case *dwarf.ArrayType:
		return types.NewArray(c.convert(t.Type), max(t.Count, 0))
	case *dwarf.StructType:
		return c.structType(t)
	case *dwarf.PtrType, *dwarf.FuncType:
		return c.named(nameOf(t), types.Typ[types.UnsafePointer])
	}
	return c.basic(t)
}

// basic converts a number, or what else has no parts. Numbers of a type that is declared are not distinguished from those of
// their size.
func (c converter) basic(t dwarf.Type) types.Type {
	if basic, ok := types.Universe.Lookup(t.String()).(*types.TypeName); ok {
		return basic.Type()
	}
	sizes := map[int64]types.BasicKind{1: types.Uint8, 2: types.Uint16, 4: types.Uint32, 8: types.Uint64}
	if _, ok := t.(*dwarf.ComplexType); ok {
		sizes = map[int64]types.BasicKind{8: types.Complex64, 16: types.Complex128}
	}
	if kind, ok := sizes[t.Size()]; ok {
		return c.named(t.String(), types.Typ[kind])
	}
	return c.named(t.String(), types.NewArray(types.Typ[types.Byte], max(t.Size(), 0)))
}

// structType converts a struct. Strings, slices and interfaces are structs in debug data, too.
func (c converter) structType(t *dwarf.StructType) types.Type {
	switch {
	case t.StructName == "string" || c.around[t]:
		return types.Typ[types.String]
	case len(c.around) > 0 && (t.StructName == "runtime.iface" || t.StructName == "runtime.eface"):
		return types.NewInterfaceType(nil, nil)
	case strings.HasPrefix(t.StructName, "[]"):
		return c.named(t.StructName, types.NewSlice(types.Typ[types.Byte]))
	}
	c.around[t] = true
	defer delete(c.around, t)
	var fields []*types.Var
	seen := map[string]bool{"": true}
	for _, f := range t.Field {
		name := f.Name
		if seen[name] {
			name = "_"
		}
		seen[name] = true
		fields = append(fields, types.NewField(token.NoPos, nil, name, c.convert(f.Type), false))
	}
	st := types.NewStruct(fields, nil)
	if strings.HasPrefix(t.StructName, "struct {") {
		return st
	}
	return c.named(t.StructName, st)
}

// named returns a type of that name. Arguments in it stay text.
func (c converter) named(name string, t types.Type) types.Type {
	var pkg *types.Package
	if isDeclared(name) {
		of, base := SplitType(name)
		pkg, name = types.NewPackage(of, path.Base(of)), base
	}
	return types.NewNamed(types.NewTypeName(token.NoPos, pkg, c.short(name), nil), t.Underlying(), nil)
}

// short writes a type as the package does: without the path of packages, and without the package that is its own.
func (c converter) short(name string) string {
	return pathAndName.ReplaceAllStringFunc(name, func(word string) string {
		if pkg, base := SplitType(word); pkg == c.pkg && pkg != "" {
			return base
		}
		return path.Base(word)
	})
}

// pathAndName matches the name of a type with the path of its package.
var pathAndName = regexp.MustCompile(`[0-9A-Za-z_./~%\-\x{80}-\x{10FFFF}]+`)

// nameOf returns the name of a type as Go has it.
func nameOf(t dwarf.Type) string {
	switch t := t.(type) {
	case *dwarf.StructType:
		return t.StructName
	case *dwarf.ArrayType:
		return fmt.Sprintf("[%d]%s", t.Count, nameOf(t.Type))
	case *dwarf.PtrType:
		if _, void := t.Type.(*dwarf.VoidType); void {
			return "unsafe.Pointer"
		}
		return "*" + nameOf(t.Type)
	}
	return t.String()
}
