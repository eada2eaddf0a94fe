package instrument

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/testkit/testutil"
)

const odd = `package p

import (
	"embed"
	_ "unsafe"
	tareruntime "fmt"
)

//go:embed odd.go
var files embed.FS

func Short() {}
func OneLine() int { return 1 }
func Comment() { // the brace is not the end of the line
	tareruntime.Sprint(files)
}

//go:nosplit
func NoSplit() {}

//go:linkname Linked runtime.nanotime
func Linked() int64

//go:linkname pushed
func pushed() {}

func Assembly()
func Called() {}

func Results() (a, b int, err error) { return 1, 2, nil }
func Literal() func() int {
	return func() int { return func() int { return 1 }() }
}
func _() {}

type T[K comparable, V any] struct{}

func (T[K, V]) Value()     {}
func (t *T[K, _]) Pointer() {}
`

func oddProject(t testing.TB) string {
	return project(t, "odd.go", odd, "odd_amd64.s", "// see ·Short(SB)\nTEXT ·Assembly(SB), $0\n\tCALL ·Called(SB)\n\tRET\n",
		"odd_arm64.s", "TEXT ·Assembly(SB), $0\n\tBL ·Called(SB)\n\tRET\n",
		"odd_test.go", "package p\n\nimport \"testing\"\n\nfunc TestShort(t *testing.T) { helper() }\nfunc helper() { Short() }\n",
		"cmd/x/main.go", "package main\n\nimport \"example.org/p\"\n\nfunc main() { p.Short(); run() }\nfunc run() {}\n",
		"q.v3/q.go", "package q\n\nfunc Dot() {}\n", "yacc.go", "package p\n\n//line odd.y:100\nfunc Generated() {\n}\n")
}

func names(fs []Func) string {
	var out []string
	for _, f := range fs {
		out = append(out, strings.TrimLeft(strings.TrimPrefix(f.Name, "example.org/p"), "./"))
	}
	return strings.Join(out, " ")
}

// TestMatch: which functions patterns mean, and what is left alone.
func TestMatch(t *testing.T) {
	dir := oddProject(t)
	lists := make(map[string]*listed) // by packages
	const all = "(*T[...]).Pointer Comment Generated Literal OneLine Results Short T[...].Value"
	for _, c := range []struct {
		match, skip, packages, want string
		min                         int
	}{
		{match: "./...", want: all},
		{match: ".", want: all},
		{match: "p.*", want: all},
		{match: "example.org/p.*", want: all},
		{match: "p.Short", want: "Short"},
		{match: "Short", want: "Short"},
		{match: "q.v3.Dot", packages: "./q.v3", want: "q.v3.Dot"},
		{match: "example.org/p/q.v3.Dot", packages: "./q.v3", want: "q.v3.Dot"},
		{match: "q.D*", packages: "./q.v3", want: "q.v3.Dot"},
		{match: "p.*t", want: "Comment Short"},
		{match: "p.(*T).Pointer", want: "(*T[...]).Pointer"},
		{match: "p.(*T[...]).Pointer", want: "(*T[...]).Pointer"},
		{match: "p.T.Pointer", want: "(*T[...]).Pointer"},
		{match: "T.Value", want: "T[...].Value"},
		{match: "p.(*T).*", want: "(*T[...]).Pointer T[...].Value"},
		{match: "/^example.org/p.[CO]/", want: "Comment OneLine"},
		{match: "p.*", skip: "p.*t*", want: "OneLine T[...].Value"},
		{match: "p.*", min: 3, want: "Comment Literal"},
		{match: "p.OneLine", min: 1, want: "OneLine"},
		{match: "main.*", packages: "./cmd/x", want: "main.main main.run"},
		{match: "cmd/x.run", packages: "./cmd/x", want: "main.run"},
		{match: "run Short", packages: "./...", want: "Short main.run"},
	} {
		cfg := Config{Dir: dir, Match: strings.Fields(c.match), Skip: strings.Fields(c.skip), MinLines: c.min, Packages: strings.Fields(c.packages)}
		x := lists[c.packages]
		if x == nil {
			x = list(t, cfg)
			lists[c.packages] = x
		}
		if got, err := x.choose(cfg); err != nil || got != c.want {
			t.Errorf("%s, skip %s: got %s, want %s (%v)", c.match, c.skip, got, c.want, err)
		}
	}
}

// listed is a build as Plan knows it before it chooses functions: cases share it, since it takes
// several go commands.
type listed struct {
	tools *toolchain.Toolchain
	pkgs  []*goPackage
}

func list(t *testing.T, cfg Config) *listed {
	t.Helper()
	tools, err := cfg.findToolchain(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	pkgs, err := cfg.build(t.Context(), tools)
	if err != nil {
		t.Fatal(err)
	}
	return &listed{tools, pkgs}
}

// choose returns the names of the functions that a configuration chooses.
func (x *listed) choose(cfg Config) (string, error) {
	c := &selector{cfg: &cfg, ctx: context.Background(), tools: x.tools, pkgs: x.pkgs}
	_, err := c.selectFunctions()
	var fs []Func
	for f := range c.selected {
		fs = append(fs, *f)
	}
	slices.SortFunc(fs, func(a, b Func) int { return compare(&a, &b) })
	return names(fs), err
}

// TestLeft: functions that cannot be instrumented are named with the reason.
func TestLeft(t *testing.T) {
	w := plan(t, Config{Dir: oddProject(t), Match: []string{"p.*"}})
	got := make(map[string]string)
	for _, l := range w.Skipped {
		got[strings.TrimPrefix(l.Name, "example.org/p.")] = l.Why
	}
	for name, why := range map[string]string{
		"NoSplit": "nosplit", "Linked": "no body", "pushed": "linkname", "Assembly": "no body", "Called": "assembly calls it",
	} {
		if !strings.Contains(got[name], why) {
			t.Errorf("%s: %q, want %q", name, got[name], why)
		}
		delete(got, name)
	}
	if len(got) > 0 {
		t.Errorf("also %v", got)
	}
	for _, f := range w.Funcs {
		if strings.HasSuffix(f.Name, "Generated") && (f.Line != 4 || filepath.Base(f.File) != "yacc.go") {
			t.Errorf("%+v: want the file that there is", f)
		}
	}
	build(t, w)
}

// TestErrors: what cannot be done is said before anything is built.
func TestErrors(t *testing.T) {
	dir := oddProject(t)
	x := list(t, Config{Dir: dir})
	for _, c := range []struct {
		cfg  Config
		want string
	}{
		{Config{Match: []string{"p.Shrot"}}, "pattern p.Shrot matches no function of the build; similar: example.org/p.Short"},
		{Config{Match: []string{"Shrot"}}, "similar: example.org/p.Short"},
		{Config{Match: []string{"p.(*T).Pionter"}}, "similar: example.org/p.(*T[...]).Pointer"},
		{Config{Match: []string{"tiem.AfterFunc"}}, "similar: time.AfterFunc"},
		{Config{Match: []string{"Pointer2"}}, "similar: example.org/p.(*T[...]).Pointer"},
		{Config{Match: []string{"example.org/p"}}, "selects no function: write pkg.Func"},
		{Config{Match: []string{"p.Short.func2"}}, "only with --literals"},
		{Config{Match: []string{"p.QuiteDifferentName"}}, "matches no function of the build"},
		{Config{Match: []string{"/nothing/"}}, "pattern /nothing/ matches no function"},
		{Config{Match: []string{"p.NoSplit"}}, "1 function, none of which can be instrumented: //go:nosplit: its stack cannot grow"},
		{Config{Match: []string{"p.Short"}, Skip: []string{"p.*"}}, "none of which can be instrumented: it is skipped"},
		{Config{Match: []string{"runtime.GC"}}, "none of which can be instrumented: package runtime imports its package"},
		{Config{Match: []string{"net/http"}}, "selects no function"},
		{Config{Match: []string{"p.*"}, Skip: []string{"p.Shrot"}}, "pattern p.Shrot matches no function of the build; similar: example.org/p.Short"},
	} {
		c.cfg.Dir = dir
		if _, err := x.choose(c.cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.cfg.Match, err, c.want)
		}
	}
	for _, c := range []struct {
		cfg  Config
		want string
	}{
		{Config{Match: []string{"time"}, Packages: []string{"time"}}, "pattern time names a package: write time.* for all"},
		{Config{Match: []string{"syscall.Read"}, Packages: []string{"fmt"}}, "between fork and exec"},
		{Config{Match: []string{"./..."}, Packages: []string{"./none"}}, "none"},
		{Config{Match: []string{"./none"}}, "none"},
		{Config{}, "no pattern of functions"},
		{Config{Match: []string{"/(/"}}, "missing closing )"},
		{Config{Match: []string{" "}}, "is empty"},
		{Config{Match: []string{"x"}, Every: -1}, "one of -1 calls"},
		{Config{Match: []string{"x"}, Every: 2, CountOnly: true}, "excludes only counting calls"},
		{Config{Match: []string{"x"}, MinLines: -1}, "-1 lines"},
		{Config{Match: []string{"x"}, Flags: []string{"-overlay=none.json"}}, "-overlay=none.json cannot be read"},
		{Config{Match: []string{"x"}, Flags: []string{"--cover"}}, "--cover: coverage would also count"},
		{Config{Match: []string{"x"}, Env: append(os.Environ(), "GOFLAGS=-coverpkg=./...")}, "-coverpkg=./... in GOFLAGS: coverage"},
		{Config{Match: []string{"p.*"}, Skip: []string{"./none"}}, "none"},
	} {
		c.cfg.Dir, c.cfg.Work = dir, t.TempDir()
		_, err := Plan(context.Background(), c.cfg)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.cfg.Match, err, c.want)
		}
	}
	bad := project(t, "main.go", "package main\n\nfunc main() { undefined() }\n")
	w := plan(t, Config{Dir: bad, Match: []string{"main"}})
	if _, err := w.Inlinable(context.Background()); err == nil || !strings.Contains(err.Error(), "main.go:3:15: undefined: undefined") {
		t.Errorf("a package that does not build: %v", err)
	}
	bad = project(t, "main.go", "package main\n\nfunc main() {\n")
	if _, err := Plan(context.Background(), Config{Dir: bad, Match: []string{"main"}, Work: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "main.go:3") {
		t.Errorf("a package that does not parse: %v", err)
	}
}

// TestLiterals: function literals count for themselves if that is wanted.
func TestLiterals(t *testing.T) {
	dir := project(t, "main.go", `package main

func main() {
	f := func() { func() { g() }() }
	f()
	f()
	defer func() { g() }()
	second()
}
func g() {}

var first, second = func() { g() }, func() { func() { g() }() }
`)
	w := plan(t, Config{Dir: dir, Match: []string{"main.*"}, Literals: true})
	tr, _ := run(t, w, build(t, w), ArenaConfig{})
	if got := tree(tr); got != "main{init.func2{init.func2.1{g}} main.func1:2{main.func1.1:2{g:2}} main.func2{g}}" {
		t.Errorf("tree %s", got)
	}
}

// TestTests instruments a package's tests, and what they test.
func TestTests(t *testing.T) {
	testutil.NeedLong(t, "builds a test binary")
	w := plan(t, Config{Dir: oddProject(t), Match: []string{"p.Short", "helper"}, Tests: true, Packages: []string{"."}})
	tr, out := run(t, w, build(t, w), ArenaConfig{}, "-test.run=.")
	if got := tree(tr); got != "example.org/p.helper{example.org/p.Short}" {
		t.Errorf("tree %s: %s", got, out)
	}
}

// TestStandard instruments functions of the standard library.
func TestStandard(t *testing.T) {
	testutil.NeedLong(t, "weaves the standard library")
	dir := project(t, "main.go", "package main\n\nimport (\"fmt\"; \"sort\"; \"time\"; \"sync\")\n\nfunc main() {\n"+
		"\ta := []int{3, 1, 2}\n\tsort.Ints(a)\n\tvar mu sync.Mutex\n\tmu.Lock()\n\tmu.Unlock()\n\ttime.Sleep(1)\n\t<-time.After(1)\n\tfmt.Println(a, time.Second)\n}\n")
	w := plan(t, Config{Dir: dir, Match: []string{"sort.*", "time.*", "sync.(*Mutex).*", "fmt.*"}})
	tr, out := run(t, w, build(t, w), ArenaConfig{})
	if out != "[1 2 3] 1s\n" {
		t.Errorf("it prints %q", out)
	}
	for name, calls := range map[string]int64{"sort.Ints": 1, "time.After": 1, "fmt.Println": 1} {
		if f := fn(t, tr, name); f.Calls != calls {
			t.Errorf("%s: %d calls", name, f.Calls)
		}
	}
	if f := fn(t, tr, "sync.(*Mutex).Lock"); f.Calls < 1 {
		t.Errorf("%d locks", f.Calls)
	}
}

// TestDependency instruments functions of a module in the module cache, which go does not
// let anybody replace: one that this repository needs anyway. Its files have the names that they
// have without probes, with -trimpath too.
func TestDependency(t *testing.T) {
	testutil.NeedLong(t, "builds seven programs")
	const main = `package main

import (
	"reflect"
	"runtime"

	"golang.org/x/sys/execabs"
)

func main() {
	_, err := execabs.LookPath("/")
	f := runtime.FuncForPC(reflect.ValueOf(execabs.LookPath).Pointer())
	println(err != nil)
	println(f.FileLine(f.Entry()))
}
`
	for _, c := range []struct {
		workspace, long bool
		flags           []string
	}{
		{false, false, nil},
		{true, false, []string{"-trimpath"}},
		{false, true, []string{"-trimpath"}},
		{true, true, nil},
	} {
		if c.long && !testutil.Long() {
			continue
		}
		dir := dependent(t, main, c.workspace)
		before := treeHash(t, dir)
		plain := filepath.Join(t.TempDir(), "plain")
		cmd := exec.Command("go", append(append([]string{"build"}, c.flags...), "-o", plain)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		want, _ := exec.Command(plain).CombinedOutput()
		w := plan(t, Config{Dir: dir, Flags: c.flags, Match: []string{"execabs.LookPath", "main.main"}})
		tr, out := run(t, w, build(t, w), ArenaConfig{})
		if got := tree(tr); got != "main{golang.org/x/sys/execabs.LookPath}" {
			t.Errorf("%+v: tree %s", c, got)
		}
		if out != string(want) || !strings.HasPrefix(out, "true\n") || !strings.Contains(out, "execabs.go") {
			t.Errorf("%+v: got %s, want %s", c, out, want)
		}
		if treeHash(t, dir) != before {
			t.Errorf("%+v: sources have changed", c)
		}
	}
}

// dependent is a project that needs golang.org/x/sys.
func dependent(t *testing.T, main string, workspace bool) (dir string) {
	t.Helper()
	dir = project(t, "main.go", main)
	version, language := "", ""
	for line := range strings.Lines(readFile(t, "../../../go.mod")) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "golang.org/x/sys" {
			version = f[1]
		}
		if strings.HasPrefix(line, "go ") {
			language = line
		}
	}
	files := map[string]string{
		"go.mod": "module example.org/p\n\n" + language + "\nrequire golang.org/x/sys " + version + "\n",
		"go.sum": readFile(t, "../../../go.sum"),
	}
	if workspace {
		files["go.work"] = language + "\nuse .\n"
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestRewrite: no line moves, and the text is still Go.
func TestRewrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "odd.go")
	if err := os.WriteFile(path, []byte(odd), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := parseFile(path, odd, &goPackage{ImportPath: "p", Name: "p"})
	if err != nil {
		t.Fatal(err)
	}
	s.findFunctions(true, new(numbering), nil)
	ids := make(map[*Func]int)
	for i, f := range s.funcs {
		if f.why == "" {
			ids[f] = i
		}
	}
	for _, count := range []bool{false, true} {
		text := s.rewrite(ids, alias([]*sourceFile{s}), count)
		if _, err := parser.ParseFile(token.NewFileSet(), path, text, 0); err != nil {
			t.Error(err)
		}
		was, is := strings.Split(odd, "\n"), strings.Split(text, "\n")
		if len(was) != len(is) {
			t.Fatalf("%d lines of %d", len(is), len(was))
		}
		for i := range was {
			want := was[i]
			got := strings.ReplaceAll(is[i], `; import tareruntime2 "runtime"`, "")
			for id := range s.funcs {
				got = strings.ReplaceAll(got, fmt.Sprintf(" defer tareruntime2.TareExit(tareruntime2.TareBegin(tareruntime2.TareEnter(%d)));", id), "")
				got = strings.ReplaceAll(got, fmt.Sprintf(" tareruntime2.TareCount(%d, tareruntime2.TareCountSlow);", id), "")
			}
			if got != want {
				t.Errorf("line %d: %q was %q", i+1, is[i], was[i])
			}
		}
	}
}

// TestUnsupported: a system without probes is refused before anything is written.
func TestUnsupported(t *testing.T) {
	cfg := Config{Dir: project(t, "main.go", "package main\n\nfunc main() {}\n"), Match: []string{"main"}, Work: t.TempDir(), Env: append(os.Environ(), "GOOS=windows", "GOARCH=amd64")}
	if _, err := Plan(t.Context(), cfg); !errors.Is(err, toolchain.ErrUnsupported) || !strings.Contains(err.Error(), "windows/amd64") {
		t.Errorf("%v", err)
	}
}

func goroot(t testing.TB) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
