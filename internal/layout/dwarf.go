package layout

import (
	"cmp"
	"debug/dwarf"
	"fmt"
	"path"
	"strings"

	"github.com/tarebench/tare/internal/objfile"
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
	b := dwarfBuilder{arch: f.Arch(), word: WordSize(f.Arch())}
	found := &Found{}
	if len(q.Types) == 0 {
		for ref := range types.All() {
			if declared(ref.Name) && inPackages(q.Packages, packageOf(ref.Name)) {
				n, err := b.read(types, ref)
				if err != nil {
					return nil, err
				}
				found.Structs = append(found.Structs, n)
			}
		}
		return found, nil
	}
	for _, w := range q.Types {
		var names []string
		n := 0
		for ref := range types.All() {
			switch {
			case !declared(ref.Name) || !inPackages(q.Packages, packageOf(ref.Name)):
			case isMeant(w, ref.Name):
				if n++; n > maxSame {
					return nil, &Error{Msg: fmt.Sprintf("%s: more than %d types are called %s", file, maxSame, w), Hint: "name the package, too, as in " + ref.Name}
				}
				s, err := b.read(types, ref)
				if err != nil {
					return nil, err
				}
				found.Structs = append(found.Structs, s)
			default:
				names = append(names, ref.Name)
			}
		}
		if n == 0 {
			return nil, &NotFoundError{Type: w.String(), In: file, Near: nearBinary(w, names)}
		}
	}
	return found, nil
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

func nearBinary(w Want, names []string) []string {
	base, _, _ := strings.Cut(w.Type, "[")
	byBase := map[string][]string{}
	var bases []string
	for _, n := range names {
		b, _, _ := strings.Cut(baseOf(n), "[")
		if byBase[b] == nil {
			bases = append(bases, b)
		}
		byBase[b] = append(byBase[b], n)
	}
	var out []string
	for _, b := range nearNames(base, bases) {
		out = append(out, byBase[b]...)
	}
	return out[:min(len(out), maxNear)]
}

// dwarfBuilder makes nodes of debug data. Alignments are not in it; they follow
// from Go's rules for the machine.
type dwarfBuilder struct {
	arch string
	word int64
	pkg  string
}

func (b dwarfBuilder) read(types *objfile.Structs, ref objfile.StructRef) (*Node, error) {
	st, err := types.Read(ref)
	if err != nil {
		return nil, err
	}
	b.pkg = packageOf(ref.Name)
	n := b.node("", st, 0)
	n.Name, n.Path, n.Open = baseOf(ref.Name), b.pkg, true
	return &n, nil
}

func (b dwarfBuilder) node(name string, t dwarf.Type, offset int64) Node {
	typeName := nameOfDwarf(t)
	n := Node{Name: name, Type: b.short(typeName), Offset: offset, Size: max(t.Size(), 0), Align: 1, Arch: b.arch}
	under := t
	for {
		def, ok := under.(*dwarf.TypedefType)
		if !ok {
			break
		}
		under = def.Type
	}
	base, _, _ := strings.Cut(baseOf(typeName), "[")
	n.Role = roleOf(packageOf(typeName), base)
	array, _ := under.(*dwarf.ArrayType)
	if isPad(name, n.Size, array != nil && array.Type.Size() == 1) {
		n.Role = Pad
	}
	switch u := under.(type) {
	case *dwarf.StructType:
		anonymous := strings.HasPrefix(typeName, "struct {")
		n.Open = n.Role == Plain && u.Kind == "struct" && (anonymous || declared(typeName) && packageOf(typeName) == b.pkg)
		for _, f := range u.Field {
			field := b.node(cmp.Or(f.Name, "(unnamed)"), f.Type, f.ByteOffset)
			n.Align = max(n.Align, field.Align)
			n.Pointers = n.Pointers || field.Pointers
			n.Fields = append(n.Fields, field)
		}
		if n.Role == Atomic && n.Size == 8 {
			n.Align = 8 // also on 32-bit machines
		}
		if name != "" && writtenOnce(packageOf(typeName), base) {
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
func (b dwarfBuilder) short(name string) string {
	var out strings.Builder
	for rest := name; rest != ""; {
		i := strings.IndexFunc(rest, func(r rune) bool { return !isPathRune(r) })
		if i < 0 {
			i = len(rest)
		}
		word := rest[:i]
		if pkg := packageOf(word); pkg == b.pkg && pkg != "" {
			word = baseOf(word)
		} else if slash := strings.LastIndexByte(word, '/'); slash >= 0 {
			word = word[slash+1:]
		}
		out.WriteString(word)
		if i < len(rest) {
			out.WriteByte(rest[i])
			i++
		}
		rest = rest[i:]
	}
	return out.String()
}

// isPathRune reports whether a letter may be in the path of a package or in the
// name of a type.
func isPathRune(r rune) bool {
	return r >= 0x80 || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune("_./-~%", r)
}
