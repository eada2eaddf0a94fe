package export

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// jmhRow is a result under a name that JMH's readers split correctly.
type jmhRow struct {
	res           *result.Benchmark
	class, method string
	params        result.Params
}

// jmhRows names the results that have figures.
//
// Readers split the name at its dots: the last part is the method, the one
// before the class. A package is a class, the rest of the benchmark's name the
// method, and its k=v parts are parameters; side, role and GOMAXPROCS are
// parameters where benchmarks differ in them. JMH Visualizer takes the rows of a
// class to have the parameters of the first, joins a name and its parameters by
// blanks and splits them at "=": other rows are drawn over each other, or
// stop it. So the rows with parameters come first, a function with two and more
// has a class of its own, package_Function, and blanks and "=" in values become
// underscores. What a row is called depends on itself and its function alone,
// so that the files of two runs can be compared.
func jmhRows(s *result.Result) []jmhRow {
	families := map[[2]string]*jmhFamily{}
	for i := range s.Results {
		families[functionOf(&s.Results[i])] = families[functionOf(&s.Results[i])].with(&s.Results[i])
	}
	var rows []jmhRow
	taken := map[string]int{}
	rank := map[string]int{}
	for _, r := range result.InOrder(s.Results) {
		if r.Forks == 0 {
			continue
		}
		row := jmhRow{res: r, class: jmhClass(r.Pkg), method: jmhMethod(r.Name), params: families[functionOf(r)].params(r)}
		if len(row.params) > 1 {
			row.class += "_" + jmhWord(functionOf(r)[1], "Benchmark")
		}
		untaken(taken, func(n int) string {
			row.method = numbered(jmhMethod(r.Name), n)
			return row.key()
		})
		if rank[row.class] == 0 {
			rank[row.class] = len(rank) + 1
		}
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(a, b jmhRow) int {
		return cmp.Or(cmp.Compare(rank[a.class], rank[b.class]), cmp.Compare(len(b.params), len(a.params)))
	})
	return rows
}

// key returns what identifies a row.
func (row jmhRow) key() string {
	k := []string{row.class + "." + row.method}
	for _, p := range row.params {
		k = append(k, p.Key+"="+p.Value)
	}
	return strings.Join(k, " ")
}

// functionOf returns the package and the function of a benchmark.
func functionOf(r *result.Benchmark) [2]string {
	name, _, _ := strings.Cut(r.Name, "/")
	return [2]string{r.Pkg, name}
}

// jmhFamily is what the rows of one function differ in.
type jmhFamily struct {
	sides, roles bool
	procs        map[int]bool
}

func (f *jmhFamily) with(r *result.Benchmark) *jmhFamily {
	if f == nil {
		f = &jmhFamily{procs: map[int]bool{}}
	}
	f.sides, f.roles = f.sides || r.Side != "", f.roles || r.Role != ""
	f.procs[r.Procs] = true
	return f
}

// params returns the parameters of a row, the keys all different.
func (f *jmhFamily) params(r *result.Benchmark) result.Params {
	ps := slices.Clone(r.Params)
	if len(ps) == 0 {
		ps = record.ParseName(r.Name)
	}
	add := func(differ bool, key, value string) {
		if differ {
			ps = append(ps, record.Param{Key: key, Value: value})
		}
	}
	add(f.roles, "role", cmp.Or(r.Role, "all"))
	add(len(f.procs) > 1, "procs", strconv.Itoa(r.Procs))
	add(f.sides, "side", cmp.Or(r.Side, "none"))
	taken := map[string]int{}
	for i := range ps {
		key := jmhWord(ps[i].Key, "_")
		ps[i].Key = untaken(taken, func(n int) string { return numbered(key, n) })
		ps[i].Value = strings.ReplaceAll(oneWord(ps[i].Value), "=", "_")
	}
	return ps
}

// jmhClass returns the name of a package's class: example.org/m/codec is
// example.org.m.codec. A last part like v2 says nothing alone.
func jmhClass(pkg string) string {
	parts := strings.Split(pkg, "/")
	for i := range parts {
		parts[i] = oneWord(parts[i])
	}
	last := len(parts) - 1
	if v, ok := strings.CutPrefix(parts[last], "v"); ok && last > 0 && v != "" && strings.Trim(v, "0123456789") == "" {
		parts = append(parts[:last-1], parts[last-1]+"_"+parts[last])
		last--
	}
	parts[last] = jmhWord(parts[last], "go")
	return strings.Join(parts, ".")
}

// jmhMethod returns a benchmark's name without its parameters.
func jmhMethod(name string) string {
	var parts []string
	for i, part := range strings.Split(name, "/") {
		if key, _, ok := strings.Cut(part, "="); i == 0 || !ok || key == "" {
			parts = append(parts, part)
		}
	}
	return jmhWord(strings.Join(parts, "/"), "Benchmark")
}

// jmhWord returns s as one printable word without separators, or none if s is empty.
func jmhWord(s, none string) string {
	if s == "" {
		return none
	}
	return charset.Name(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '.' || r == '/' {
			return '_'
		}
		return r
	}, s))
}
