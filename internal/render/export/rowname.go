package export

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/termtext"
)

var errNothing = errors.New("no benchmark has a figure")

// lastSide returns the results that dashboards keep: of a comparison those of its last side, else all.
func lastSide(s *result.Result) []*result.Benchmark {
	last := ""
	if s.Run != nil && len(s.Run.Sides) > 1 {
		last = s.Run.Sides[len(s.Run.Sides)-1].Name
	}
	var out []*result.Benchmark
	for i := range s.Results {
		if r := &s.Results[i]; r.Forks > 0 && (last == "" || r.Side == last) {
			out = append(out, r)
		}
	}
	return out
}

// rowNames names rows within one file: package, name and role, and GOMAXPROCS where the same benchmark has several.
type rowNames map[[2]string]map[int]bool

func rowNamesOf(rows []*result.Benchmark) rowNames {
	n := rowNames{}
	for _, r := range rows {
		n.add(r.Pkg, r.Name, r.Procs)
	}
	return n
}

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

// long returns the name with the package.
func (n rowNames) long(r *result.Benchmark) string {
	name := n.short(r.Pkg, r.Name, r.Role, r.Procs)
	if r.Pkg == "" {
		return name
	}
	return r.Pkg + "/" + name
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
