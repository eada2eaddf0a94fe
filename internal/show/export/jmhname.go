package export

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

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
	differ, names, rank := variants{}, uniqueNames{}, map[string]int{}
	for i := range s.Results {
		for _, p := range jmhTraits(&s.Results[i]) {
			differ.add(s.Results[i].Pkg, functionOf(s.Results[i].Name), p.Key, cmp.Or(jmhAbsent[p.Key], p.Value), p.Value)
		}
	}
	var rows []jmhRow
	for _, r := range result.InOrder(s.Results) {
		if r.Forks == 0 {
			continue
		}
		row := jmhRow{res: r, class: jmhClass(r.Pkg), params: jmhParams(r, differ)}
		if len(row.params) > 1 {
			row.class += "_" + jmhWord(functionOf(r.Name), "Benchmark")
		}
		row.method = names.of(fmt.Sprint(row.class, row.params), jmhWord(parameters.ReplaceAllString(r.Name, ""), "Benchmark"), "_%d")
		rank[row.class] = cmp.Or(rank[row.class], len(rank)+1)
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(a, b jmhRow) int {
		return cmp.Or(cmp.Compare(rank[a.class], rank[b.class]), cmp.Compare(len(b.params), len(a.params)))
	})
	return rows
}

// functionOf returns the function of a benchmark's name.
func functionOf(name string) string { return strings.Split(name, "/")[0] }

// jmhAbsent is what stands for no role and for no side: rows that have one differ from them.
var jmhAbsent = map[string]string{"role": "all", "side": "none"}

// jmhTraits returns what rows of a function may differ in beside the parameters in their names.
func jmhTraits(r *result.Benchmark) result.Params {
	return result.Params{{Key: "role", Value: cmp.Or(r.Role, jmhAbsent["role"])}, {Key: "procs", Value: strconv.Itoa(r.Procs)}, {Key: "side", Value: cmp.Or(r.Side, jmhAbsent["side"])}}
}

// jmhParams returns the parameters of a row, the keys all different.
func jmhParams(r *result.Benchmark, differ variants) result.Params {
	ps, names := result.Params(record.ParseName(r.Name)), uniqueNames{}
	for _, p := range jmhTraits(r) {
		if differ.several(r.Pkg, functionOf(r.Name), p.Key) {
			ps = append(ps, p)
		}
	}
	for i, p := range ps {
		ps[i].Key = names.of("", jmhWord(p.Key, "_"), "_%d")
		ps[i].Value = strings.ReplaceAll(oneWord(p.Value), "=", "_")
	}
	return ps
}

// majorVersion matches a path's last element such as v2, which says nothing alone.
var majorVersion = regexp.MustCompile(`/(v[0-9]+)$`)

// parameters matches the k=v parts of a benchmark's name.
var parameters = regexp.MustCompile(`/[^/=]+=[^/]*`)

// jmhClass returns the name of a package's class: example.org/m/codec is example.org.m.codec.
func jmhClass(pkg string) string {
	pkg = majorVersion.ReplaceAllString(pkg, "_$1")
	last := strings.LastIndexByte(pkg, '/') + 1
	return strings.ReplaceAll(oneWord(pkg[:last]), "/", ".") + jmhWord(pkg[last:], "go")
}

// jmhWord returns s as one printable word without separators, or none if s is empty.
func jmhWord(s, none string) string {
	return cmp.Or(strings.NewReplacer(".", "_", "/", "_").Replace(oneWord(s)), none)
}
