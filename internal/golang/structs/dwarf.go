package structs

import (
	"cmp"
	"debug/dwarf"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/binary/layout"
	"github.com/tarebench/tare/internal/binary/objfile"
)

// maxSame is how many types of one name are taken.
const maxSame = 20

// ReadBinary finds structs in the debug data of a binary. Types are named as Go
// names them, with the whole path of their package, its last part, or none:
// example.org/queue.SPSC, queue.SPSC, SPSC. Without types it finds all that have a
// name in the program's sources, which is slow for large ones. q.Packages leaves
// only types whose package is named, or is below one with /... behind it.
func ReadBinary(file string, q Query) (*Found, error) {
	f, err := objfile.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.Arch() == "" {
		return nil, fmt.Errorf("%s: is for a machine that Go does not know", file)
	}
	types, err := f.Structs()
	if err != nil {
		return nil, err
	}
	b := dwarfBuilder{types: types, arch: f.Arch(), word: layout.WordSize(f.Arch())}
	var all []objfile.StructRef
	for ref := range types.All() {
		if declared(ref.Name) && inPackages(q.Packages, packageOf(ref.Name)) {
			all = append(all, ref)
		}
	}
	if len(q.Types) == 0 {
		err = b.read(all)
		return &b.found, err
	}
	for _, w := range q.Types {
		meant := slices.DeleteFunc(slices.Clone(all), func(ref objfile.StructRef) bool { return !isMeant(w, ref.Name) })
		switch {
		case len(meant) == 0:
			return nil, &NotFoundError{Type: w.String(), In: file, Near: nearBinary(w, all)}
		case len(meant) > maxSame:
			return nil, &Error{
				Msg:  fmt.Sprintf("%s: more than %d types are called %s", file, maxSame, w),
				Hint: "name the package, too, as in " + meant[0].Name,
			}
		}
		if err := b.read(meant); err != nil {
			return nil, err
		}
	}
	return &b.found, nil
}

// String returns the type as it was asked for.
func (w Want) String() string {
	if w.Package == "" {
		return w.Type
	}
	return w.Package + "." + w.Type
}

// declared reports whether a name is from sources. The compiler makes structs of
// its own: for slices, maps, closures and the shapes of generic code.
func declared(name string) bool {
	pkg, base := packageOf(name), baseOf(name)
	if pkg == "" || strings.ContainsAny(base[:strings.IndexByte(base+"[", '[')], "<{ *") || strings.ContainsAny(pkg, "<{ *[") {
		return false
	}
	return !strings.HasPrefix(name, "noalg.") && !strings.HasPrefix(name, "go.shape.") && !strings.Contains(name, "go.shape.")
}

// split returns the place of the dot between the package and the name: the first one
// behind the last slash in front of arguments.
func split(name string) int {
	head, _, _ := strings.Cut(name, "[")
	slash := strings.LastIndexByte(head, '/')
	dot := strings.IndexByte(head[slash+1:], '.')
	if dot < 0 {
		return -1
	}
	return slash + 1 + dot
}

// packageOf returns the path of the package; dots in its last part are written %2e.
func packageOf(name string) string {
	return strings.ReplaceAll(name[:max(split(name), 0)], "%2e", ".")
}

func baseOf(name string) string { return name[split(name)+1:] }

// isMeant reports whether a type is the requested one. It ignores blanks and the parts of the path that the
// request omits.
func isMeant(w Want, name string) bool {
	if strings.ReplaceAll(baseOf(name), " ", "") != strings.ReplaceAll(w.Type, " ", "") {
		return false
	}
	pkg := packageOf(name)
	return w.Package == "" || w.Package == pkg || w.Package == path.Base(pkg)
}

func inPackages(patterns []string, pkg string) bool {
	for _, p := range patterns {
		if matchDots(p, pkg) {
			return true
		}
	}
	return len(patterns) == 0
}

func nearBinary(w Want, all []objfile.StructRef) []string {
	base, _, _ := strings.Cut(w.Type, "[")
	byBase := map[string][]string{}
	for _, ref := range all {
		b, _, _ := strings.Cut(baseOf(ref.Name), "[")
		byBase[b] = append(byBase[b], ref.Name)
	}
	var out []string
	for _, b := range nearNames(base, slices.Collect(maps.Keys(byBase))) {
		out = append(out, byBase[b]...)
	}
	return out[:min(len(out), maxNear)]
}

// dwarfBuilder makes nodes of debug data. Alignments are not in it; they follow
// from Go's rules for the machine.
type dwarfBuilder struct {
	types *objfile.Structs
	arch  string
	word  int64
	pkg   string
	found Found
}

// read adds structs to those that were found.
func (b *dwarfBuilder) read(refs []objfile.StructRef) error {
	for _, ref := range refs {
		st, err := b.types.Read(ref)
		if err != nil {
			return err
		}
		b.pkg = packageOf(ref.Name)
		n := b.node("", st, 0)
		n.Name, n.Path, n.Open = baseOf(ref.Name), b.pkg, true
		b.found.Structs = append(b.found.Structs, &n)
	}
	return nil
}

func (b *dwarfBuilder) node(name string, t dwarf.Type, offset int64) layout.Node {
	typeName := nameOfDwarf(t)
	n := layout.Node{Name: name, Type: b.short(typeName), Offset: offset, Size: max(t.Size(), 0), Align: 1, Arch: b.arch}
	under := t
	for def, ok := t.(*dwarf.TypedefType); ok; def, ok = under.(*dwarf.TypedefType) {
		under = def.Type
	}
	base, _, _ := strings.Cut(baseOf(typeName), "[")
	n.Role = layout.RoleOf(packageOf(typeName), base)
	array, _ := under.(*dwarf.ArrayType)
	if layout.IsPad(name, n.Size, array != nil && array.Type.Size() == 1) {
		n.Role = layout.Pad
	}
	switch u := under.(type) {
	case *dwarf.StructType:
		anonymous := strings.HasPrefix(typeName, "struct {")
		n.Open = n.Role == layout.Plain && u.Kind == "struct" && (anonymous || declared(typeName) && packageOf(typeName) == b.pkg)
		for _, f := range u.Field {
			field := b.node(cmp.Or(f.Name, "(unnamed)"), f.Type, f.ByteOffset)
			n.Align = max(n.Align, field.Align)
			n.Pointers = n.Pointers || field.Pointers
			n.Fields = append(n.Fields, field)
		}
		if n.Role == layout.Atomic && n.Size == 8 {
			n.Align = 8 // also on 32-bit machines
		}
		if name != "" && layout.WrittenOnce(packageOf(typeName), base) {
			n.Fields = nil
		}
	case *dwarf.ArrayType:
		elem := b.node("", u.Type, 0)
		n.Elem, n.Len, n.Align, n.Pointers = &elem, u.Count, elem.Align, elem.Pointers && u.Count > 0
	case *dwarf.ComplexType:
		n.Align = min(n.Size/2, b.word)
	case *dwarf.PtrType, *dwarf.FuncType:
		n.Align, n.Pointers = b.word, true
	default:
		n.Align = max(min(n.Size, b.word), 1)
	}
	return n
}

// nameOfDwarf returns the name of a type as Go has it.
func nameOfDwarf(t dwarf.Type) string {
	if s, ok := t.(*dwarf.StructType); ok && s.StructName != "" {
		return s.StructName
	}
	if a, ok := t.(*dwarf.ArrayType); ok {
		return fmt.Sprintf("[%d]%s", a.Count, nameOfDwarf(a.Type))
	}
	return t.String()
}

// short writes a type as the struct's package does: without the path of packages,
// and without the package that is its own.
func (b *dwarfBuilder) short(name string) string {
	return pathAndName.ReplaceAllStringFunc(name, func(word string) string {
		if pkg := packageOf(word); pkg == b.pkg && pkg != "" {
			return baseOf(word)
		}
		return path.Base(word)
	})
}

// pathAndName matches the name of a type with the path of its package.
var pathAndName = regexp.MustCompile(`[0-9A-Za-z_./~%\-\x{80}-\x{10FFFF}]+`)
