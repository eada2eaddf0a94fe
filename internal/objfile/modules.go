package objfile

import (
	"debug/buildinfo"
	"fmt"
)

// Modules says from which modules a Go program was built.
type Modules struct {
	GoVersion string   // of the toolchain
	Package   string   // path of the main package; for a test binary with .test at its end
	Main      string   // path of the main module; "": not known, or the standard library
	Deps      []string // paths of the others
}

// Modules reads what the go command wrote of the build. Programs that are not Go's,
// or not built by it, give an error.
func (f *File) Modules() (Modules, error) {
	info, err := buildinfo.Read(f.file)
	if err != nil {
		return Modules{}, fmt.Errorf("%s: modules: %w", f.path, err)
	}
	m := Modules{GoVersion: info.GoVersion, Package: info.Path, Main: info.Main.Path}
	for _, dep := range info.Deps {
		m.Deps = append(m.Deps, dep.Path)
	}
	return m, nil
}
