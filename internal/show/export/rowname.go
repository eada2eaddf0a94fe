package export

import (
	"fmt"
	"strconv"
)

// variants are the values that rows of one package and name have under a key. Rows whose values differ are distinguished
// by them.
type variants map[[3]string]map[string]bool

func (v variants) add(pkg, name, key string, values ...string) {
	at := [3]string{pkg, name, key}
	if v[at] == nil {
		v[at] = map[string]bool{}
	}
	for _, value := range values {
		v[at][value] = true
	}
}

// several reports whether there is more than one value.
func (v variants) several(pkg, name, key string) bool { return len(v[[3]string{pkg, name, key}]) > 1 }

// short returns the name without the package, as testing prints it: with GOMAXPROCS where the same benchmark has
// several, and its role.
func (v variants) short(pkg, name, role string, procs int) string {
	short := name
	if v.several(pkg, name, "procs") {
		short += "-" + strconv.Itoa(procs)
	}
	if role != "" {
		short += " " + role
	}
	return short
}

// uniqueNames numbers names of a group that come again. Names of a record are unique; what is left of them in a
// format that forbids characters may not be. It has for each name the least number that may not be behind it yet:
// thousands of one name must not be tried again and again.
type uniqueNames map[[2]string]int

// of returns the name, from the second of its group on with a number in the form of format.
func (u uniqueNames) of(group, name, format string) string {
	out, n := name, max(u[[2]string{group, name}], 2)
	for ; u[[2]string{group, out}] > 0; n++ {
		out = name + fmt.Sprintf(format, n)
	}
	u[[2]string{group, out}] = max(u[[2]string{group, out}], 2)
	u[[2]string{group, name}] = n
	return out
}
