package layout

import (
	"fmt"
	"go/token"
	"go/types"
	"os"

	"golang.org/x/tools/go/gcexportdata"
)

// An exportImporter imports packages from the export data that go list -export
// names. It implements types.Importer.
type exportImporter struct {
	fset    *token.FileSet
	exports map[string]*listed
	read    map[string]*types.Package // packages that were read, some of them in part
}

func newExportImporter(fset *token.FileSet, exports map[string]*listed) *exportImporter {
	return &exportImporter{fset: fset, exports: exports, read: map[string]*types.Package{}}
}

// Import returns a package with all its types. It fails if the package was not
// compiled, or if its export data cannot be read.
func (i *exportImporter) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := i.read[path]; p != nil && p.Complete() {
		return p, nil
	}
	p := i.exports[path]
	if p == nil || p.Export == "" {
		return nil, fmt.Errorf("no compiled types of package %s", path)
	}
	f, err := os.Open(p.Export)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	//lint:ignore SA1019 go list -export of Go 1.25 to 1.28 names archives, which only NewReader reads
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Export, err)
	}
	return gcexportdata.Read(r, i.fset, i.read, path)
}
