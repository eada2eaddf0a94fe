package structs

import (
	"errors"
	"fmt"
	"go/types"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/binary/objfile"
	"github.com/tarebench/tare/internal/golang/toolchain"
)

// ReadBinary finds structs in the debug data of a binary. Types are named as Go
// names them, with the whole path of their package, its last part, or none:
// example.org/queue.SPSC, queue.SPSC, SPSC. Without types it finds all that have a
// name in the program's sources, which is slow for large ones. q.Packages leaves
// only types whose package is named, or is below one with /... behind it.
func ReadBinary(file string, q Query) (*Found, error) {
	f, err := objfile.Open(file)
	if p := (*os.PathError)(nil); errors.As(err, &p) {
		return nil, exit.Usage(err, "")
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	b := builder{arch: f.Arch(), sizes: types.SizesFor("gc", f.Arch())}
	if b.sizes == nil {
		return nil, fmt.Errorf("%s: is for a machine that Go does not know", file)
	}
	debug, err := f.Structs()
	if errors.Is(err, objfile.ErrNoDebugData) {
		return nil, exit.Failed(err, "build it without -ldflags=-w or -s; go run and go test leave debug data out, go build and go test -c keep it")
	} else if err != nil {
		return nil, err
	}
	meant, err := q.choose(file, slices.Collect(debug.All()))
	if err != nil {
		return nil, err
	}
	found := &Found{}
	for _, ref := range meant {
		t, err := debug.Type(ref)
		if err != nil {
			return nil, err
		}
		b.path = ref.Pkg
		n := b.top(t)
		n.Name = ref.Base
		found.Structs = append(found.Structs, n)
	}
	return found, nil
}

// maxSame is how many types of one name are taken.
const maxSame = 20

// choose returns the structs of a binary that are asked for.
func (q Query) choose(file string, all []objfile.StructRef) (chosen []objfile.StructRef, err error) {
	if len(q.Packages) > 0 {
		all = slices.DeleteFunc(all, func(ref objfile.StructRef) bool {
			return !slices.ContainsFunc(q.Packages, func(pattern string) bool { return toolchain.Matches(pattern, ref.Pkg) })
		})
	}
	if len(q.Types) == 0 {
		return all, nil
	}
	for _, w := range q.Types {
		// Blanks and the parts of the path that were left out do not count.
		meant := slices.DeleteFunc(slices.Clone(all), func(ref objfile.StructRef) bool {
			return strings.ReplaceAll(ref.Base, " ", "") != strings.ReplaceAll(w.Type, " ", "") ||
				w.Package != "" && w.Package != ref.Pkg && w.Package != path.Base(ref.Pkg)
		})
		switch {
		case len(meant) == 0:
			var names []string
			for _, ref := range all {
				names = append(names, ref.Name)
			}
			return nil, notFound(file, w.String(), names)
		case len(meant) > maxSame:
			return nil, exit.Failed(fmt.Errorf("%s: more than %d types are called %s", file, maxSame, w), "name the package, too, as in "+meant[0].Name)
		}
		chosen = append(chosen, meant...)
	}
	return chosen, nil
}
