package benchtext

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"

	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/record"
)

// Filter selects benchmarks by an expression in benchproc's language.
type Filter struct{ f *benchproc.Filter }

// NewFilter parses a filter expression. The empty expression matches everything.
func NewFilter(expr string) (*Filter, error) {
	if expr == "" {
		return &Filter{}, nil
	}
	f, err := benchproc.NewFilter(expr)
	if err != nil {
		what, _, _ := strings.Cut(err.Error(), "\n") // the rest only points at the error
		return nil, exit.Usage(fmt.Errorf("--filter %q: %s", expr, what), "for example --filter '/size:1k' or '.name:/Sort/ -pkg:strings'; go doc golang.org/x/perf/benchproc/syntax")
	}
	return &Filter{f}, nil
}

var errUnitFilter = errors.New(".unit chooses figures, and a filter here chooses benchmarks")

// Match reports whether the filter matches a benchmark with its values.
func (f *Filter) Match(c *record.Case, v record.Values) (bool, error) {
	if f.f == nil {
		return true, nil
	}
	name := c.Name
	if c.Procs != 1 {
		name = fmt.Sprintf("%s-%d", name, c.Procs)
	}
	res := &benchfmt.Result{Name: benchfmt.Name(name), Iters: 1}
	for k, val := range map[string]string{"pkg": c.Pkg, "goos": runtime.GOOS, "goarch": runtime.GOARCH} {
		res.SetConfig(k, val)
	}
	for _, x := range v {
		res.Values = append(res.Values, benchfmt.Value{Value: x.Value, Unit: x.Unit})
	}
	m, err := f.f.Match(res)
	if err != nil {
		return false, err
	}
	if m.Any() != m.All() {
		return false, errUnitFilter
	}
	return m.All(), nil
}
