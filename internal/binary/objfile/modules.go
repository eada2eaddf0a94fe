package objfile

import (
	"debug/buildinfo"
	"fmt"
)

// Modules lists the modules from which a Go program was built.
type Modules struct {
	GoVersion string   // of the toolchain
	Package   string   // path of the main package; ends with .test for a test binary
	Main      string   // path of the main module; "": unknown, or the standard library
	Deps      []string // paths of the other modules
}

// Modules reads the build information that the go command stores. It fails for programs without it.
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
