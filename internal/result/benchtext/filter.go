package benchtext

import (
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/record"
)

// Filter selects benchmarks by an expression in benchproc's language.
type Filter struct {
	f         *benchproc.Filter
	functions bool // it has func:
	parts     bool // it has part:
}

// Keys of filters that choose functions of benchmarks.
const (
	keyFunction = "func" // its name
	keyPart     = "part" // one of the record.Part constants
)

// keys finds keys in an expression. What is in quotes or between slashes may hold anything.
var (
	keys   = regexp.MustCompile(`(?:^|[\s(*-])(` + keyFunction + `|` + keyPart + `):`)
	quoted = regexp.MustCompile(`"(\\.|[^"\\])*"|:/(\\.|[^/\\])*/`)
)

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
	out := &Filter{f: f}
	for _, key := range keys.FindAllStringSubmatch(quoted.ReplaceAllString(expr, ":"), -1) {
		out.functions, out.parts = out.functions || key[1] == keyFunction, out.parts || key[1] == keyPart
	}
	return out, nil
}

// ChoosesFunctions reports whether the expression has a key func, for functions of benchmarks.
func (f *Filter) ChoosesFunctions() bool { return f.functions }

// ChoosesParts reports whether the expression has a key part, for parts of the instructions.
func (f *Filter) ChoosesParts() bool { return f.parts }

// MatchFunction reports whether the filter matches a function of a benchmark. Of a part as a whole the name is "".
func (f *Filter) MatchFunction(c *record.Case, name, part string) (bool, error) {
	return f.match(c, nil, map[string]string{keyFunction: name, keyPart: part})
}

var errUnitFilter = errors.New(".unit chooses figures, and a filter here chooses benchmarks")

// Match reports whether the filter matches a benchmark with its values.
func (f *Filter) Match(c *record.Case, v record.Values) (bool, error) { return f.match(c, v, nil) }

func (f *Filter) match(c *record.Case, v record.Values, more map[string]string) (bool, error) {
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
	for k, val := range more {
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
