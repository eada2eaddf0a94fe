package listing

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/tarebench/tare/record"
)

// position returns a place in a file, for people.
func position(file string, line int) string {
	switch {
	case file == "":
		return ""
	case line <= 0:
		return shortFile(file)
	}
	return shortFile(file) + ":" + strconv.Itoa(line)
}

// shortFile returns the end of a path that is long enough to be unique in a program: the path within the standard library or
// the module, else directory and file.
func shortFile(path string) string {
	for _, root := range []string{"/pkg/mod/", "/go/src/"} {
		if i := strings.LastIndex(path, root); i >= 0 {
			return path[i+len(root):]
		}
	}
	if i := strings.LastIndexByte(path, '/'); i > 0 {
		if i = strings.LastIndexByte(path[:i], '/'); i >= 0 {
			return path[i+1:]
		}
	}
	return path
}

// foreign returns where a function without sources comes from: the kernel, a library. It returns "" if the
// function's name already says so, or if it is unknown.
func (f *function) foreign() string {
	a := f.rec.Area
	if a == record.AreaUser || a == record.AreaUnknown || strings.Trim(f.rec.Name, "[]") == a {
		return ""
	}
	return a
}

// base returns the name of a file without its folder.
func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// shortName returns the name of a function without the path to its package; type
// arguments keep theirs.
func shortName(name string) string {
	head := name
	if i := strings.IndexByte(name, '['); i >= 0 {
		head = name[:i]
	}
	return name[strings.LastIndexByte(head, '/')+1:]
}

// place returns the source position of a region, or the area (kernel, library) if it has none.
func (r *region) place(g glyphs) string {
	s := position(r.fn.rec.File, r.lines[0])
	if s != "" && r.lines[1] > r.lines[0] {
		s += g.to + strconv.Itoa(r.lines[1])
	}
	return cmp.Or(s, r.fn.foreign())
}
