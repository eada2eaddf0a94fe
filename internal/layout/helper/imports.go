package main

import (
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
)

// exportImporter imports packages from the export data that go list -export names. It fails for a package that was not
// compiled.
func exportImporter(fset *token.FileSet, packages map[string]compiled) types.Importer {
	return importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		if packages[path].Export == "" {
			return nil, fmt.Errorf("no compiled types of package %s", path)
		}
		return os.Open(packages[path].Export)
	})
}

// importMap imports what a package means by a path.
type importMap struct {
	paths map[string]string
	from  types.Importer
}

func (m importMap) Import(path string) (*types.Package, error) {
	if real := m.paths[path]; real != "" {
		path = real
	}
	return m.from.Import(path)
}
