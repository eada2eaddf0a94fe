package export

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/tarebench/tare/internal/base/termtext"
)

// rowNames names rows within one file: package, name and role, and GOMAXPROCS where the same benchmark has several.
type rowNames map[[2]string]map[int]bool

func (n rowNames) add(pkg, name string, procs int) {
	key := [2]string{pkg, name}
	if n[key] == nil {
		n[key] = map[int]bool{}
	}
	n[key][procs] = true
}

// short returns the name without the package, as testing prints it.
func (n rowNames) short(pkg, name, role string, procs int) string {
	if len(n[[2]string{pkg, name}]) > 1 {
		name += "-" + strconv.Itoa(procs)
	}
	if role != "" {
		name += " " + role
	}
	return name
}

// uniqueNames numbers names that come again. Names of a record are unique; what is left of them without characters that
// are not seen may not be.
type uniqueNames map[string]bool

func (u uniqueNames) of(name string) string {
	name = cmp.Or(termtext.Visible(name), "(no name)")
	out := name
	for i := 2; u[out]; i++ {
		out = fmt.Sprintf("%s (%d)", name, i)
	}
	u[out] = true
	return out
}
