package layout

import "strings"

// roleOf returns what the type of a field tells.
func roleOf(pkgPath, name string) Role {
	switch pkgPath {
	case "sync/atomic", "internal/runtime/atomic":
		if name != "" && name != "noCopy" && name != "align64" {
			return Atomic
		}
	case "sync":
		if name == "Mutex" || name == "RWMutex" {
			return Lock
		}
	case "runtime":
		if name == "mutex" || name == "rwmutex" {
			return Lock
		}
	}
	if name == "CacheLinePad" && (strings.HasSuffix(pkgPath, "/cpu") || pkgPath == "internal/cpu") {
		return Pad
	}
	return Plain
}

// writtenOnce reports whether a type has atomic fields that are written but once.
func writtenOnce(pkgPath, name string) bool { return pkgPath == "sync" && name == "Once" }

// nodeOf returns a struct that the program has found in a package, with what the names of its types tell.
func nodeOf(f found, pkg, arch string) *Node {
	n := sourceNode(f.Node, pkg, arch)
	n.Name, n.Path, n.Where, n.Open = f.Node.Type, pkg, f.Where, true
	return &n
}

// sourceNode returns a type, or a field of one, as the package sees it.
func sourceNode(w *node, pkg, arch string) Node {
	n := Node{
		Name: w.Name, Type: w.Type, Arch: arch, Offset: w.Offset, Size: w.Size, Align: w.Align, Pointers: w.Pointers,
		Role: roleOf(w.TypePackage, w.TypeName), Len: w.Len,
	}
	if isPad(w.Name, w.Size, w.Bytes) {
		n.Role = Pad
	}
	if w.Struct {
		n.Open = n.Role == Plain && (w.TypeName == "" || w.TypePackage == pkg)
	}
	for i := range w.Fields {
		n.Fields = append(n.Fields, sourceField(&w.Fields[i], pkg, arch))
	}
	if w.Elem != nil {
		elem := sourceNode(w.Elem, pkg, arch)
		n.Elem = &elem
	}
	return n
}

func sourceField(w *node, pkg, arch string) Node {
	n := sourceNode(w, pkg, arch)
	if writtenOnce(w.TypePackage, w.TypeName) {
		n.Fields = nil
	}
	if w.AtomicCalls && !n.Role.Hot() {
		n.Role = Atomic
		n.Unsafe64 = n.Size == 8 && n.Elem == nil
	}
	return n
}
