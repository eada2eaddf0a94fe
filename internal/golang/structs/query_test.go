package structs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/binary/layout"
)

func TestParseArgs(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"queue", "dot.dir"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for arg, want := range map[string]any{
		"SPSC":                         Want{"", "SPSC"},
		"Ring[int]":                    Want{"", "Ring[int]"},
		"ring[int]":                    Want{"", "ring[int]"},
		"pair[a/b.T, c.U]":             Want{"", "pair[a/b.T, c.U]"},
		"sync.Pool":                    Want{"sync", "Pool"},
		"sync.poolLocal":               Want{"sync", "poolLocal"},
		".node":                        Want{".", "node"},
		"./.node":                      Want{".", "node"},
		"./queue.SPSC":                 Want{"./queue", "SPSC"},
		"./queue/.spsc":                Want{"./queue", "spsc"},
		"../queue.Ring[time.Time]":     Want{"../queue", "Ring[time.Time]"},
		"example.org/queue.SPSC":       Want{"example.org/queue", "SPSC"},
		"gopkg.in/yaml.v3.Node":        Want{"gopkg.in/yaml.v3", "Node"},
		"gopkg.in/yaml.v3":             nil,
		"example.org/queue":            nil,
		"queue":                        nil,
		"sync":                         nil,
		".":                            nil,
		"..":                           nil,
		"./...":                        nil,
		"example.org/...":              nil,
		"./dot.dir":                    nil,
		"./dot.dir.Type":               Want{"./dot.dir", "Type"},
		"/abs/queue.SPSC":              Want{"/abs/queue", "SPSC"},
		"github.com/some.thing/q":      nil,
		"github.com/some.thing/q.Type": Want{"github.com/some.thing/q", "Type"},
	} {
		q := ParseArgs(dir, []string{arg})
		var got any
		if len(q.Types) == 1 {
			got = q.Types[0]
		}
		if !reflect.DeepEqual(got, want) || len(q.Packages)+len(q.Types) != 1 {
			t.Errorf("%s: %v, want %v", arg, got, want)
		}
	}
}

func TestParseTypes(t *testing.T) {
	for arg, want := range map[string]Want{
		"SPSC": {"", "SPSC"}, "spsc": {"", "spsc"}, "queue.SPSC": {"queue", "SPSC"}, "main.Box[time.Time]": {"main", "Box[time.Time]"},
		"example.org/queue.Ring[example.org/x.T]": {"example.org/queue", "Ring[example.org/x.T]"}, "gopkg.in/yaml.v3.Node": {"gopkg.in/yaml.v3", "Node"},
	} {
		if got := ParseTypes([]string{arg}); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %v, want %v", arg, got, want)
		}
	}
}

// TestPads: what is called pad and is made of bytes is declared to be unused.
func TestPads(t *testing.T) {
	for name, want := range map[string]bool{"pad": true, "_pad": true, "pad1": true, "Padding": true, "pad_2": true, "padded": false, "launchpad": false, "x": false, "_": true} {
		if got := layout.IsPad(name, "[8]byte"); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if layout.IsPad("pad", "[]byte") || layout.IsPad("pad", "[8]int64") || !layout.IsPad("_", "[]int") {
		t.Error("a pad that is no array of bytes")
	}
	dir := module(t, map[string]string{"m.go": `package m

import "sync/atomic"

type S struct {
	n   atomic.Int64
	pad [56]byte
	m   atomic.Int64
	b   [2]byte
}
`})
	found, err := Load(t.Context(), ParseArgs(dir, []string{"S"}))
	if err != nil {
		t.Fatal(err)
	}
	s := layout.Measure(found.Structs[0], 64, false)
	if s.Spare != 56 || s.Fields[1].Role != layout.Pad || s.Fields[3].Role != layout.Plain || !slices.Equal(s.Shared[1].Plain, []string{"b"}) {
		t.Errorf("%+v", s)
	}
}

// module writes a module and returns its directory.
func module(t *testing.T, files map[string]string) string {
	dir := t.TempDir()
	files["go.mod"] = "module example.org/m\n\ngo 1.26\n"
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestRefusals: each is one line that names the input, and says what to do where
// something can be done.
func TestRefusals(t *testing.T) {
	dir := module(t, map[string]string{
		"broken/b.go": "package broken\n\ntype A struct{ x missing }\ntype B struct { y other }\n",
		"syntax/s.go": "package syntax\n\ntype A struct{ x int\n",
		"imp/i.go":    "package imp\n\nimport \"example.org/nosuch\"\n\ntype A struct{ x nosuch.T }\n",
		"uses/u.go":   "package uses\n\nimport \"example.org/m/broken\"\n\ntype A struct{ x broken.A }\n",
		"good/g.go":   "package good\n\ntype Struct struct{ x int }\ntype Number int\ntype Of[K comparable, V any] struct{ k K; v V }\ntype Alias = Struct\n",
		"none/n.go":   "//go:build nosuchtag\n\npackage none\n\ntype A struct{}\n",
	})
	for arg, want := range map[string][2]string{
		"./broken.A":            {`^example.org/m/broken: broken/b.go:3:18: undefined: missing \(and 1 more\)$`, ""},
		"./syntax.A":            {`^example.org/m/syntax: syntax/s.go:4:\d+: .*EOF`, ""},
		"./imp.A":               {`imp/i.go:3:8: no module that this one requires provides the package example.org/nosuch$`, "go get example.org/nosuch"},
		"./uses.A":              {`^example.org/m/broken: broken/b.go:3:18: undefined: missing \(and 1 more\)$`, ""},
		"./nosuch.A":            {`^\./nosuch: no such directory$`, ""},
		"nosuch.A":              {`^there is no package nosuch$`, "a directory is written ./nosuch"},
		"./none.A":              {`build constraints exclude all Go files`, "--arch and --tags"},
		"./good.Strukt":         {`^example.org/m/good: no type Strukt$`, "there is Struct"},
		"./good.Elephant":       {`^example.org/m/good: no type Elephant$`, ""},
		"./good.Number":         {`^example.org/m/good.Number: is no struct, but int$`, ""},
		"./good.Of":             {`^example.org/m/good.Of: is generic`, "'Of[int, int]'"},
		"./good.Of[int]":        {`^example.org/m/good.Of\[int\]: not enough type arguments`, ""},
		"./good.Of[[]int,int]":  {`^example.org/m/good.Of\[\[\]int,int\]: \[\]int does not satisfy comparable$`, ""},
		"./good.Of[":            {`^Of\[: is not the name of a type$`, ""},
		"./good.Of[x.T,int]":    {`^example.org/m/good: neither the package nor what it imports has a package x$`, "name its path, too"},
		"./good.Of[nosuch,int]": {`undefined: nosuch$`, ""},
	} {
		q := ParseArgs(dir, []string{arg})
		_, err := Load(context.Background(), q)
		checkError(t, arg, err, want[0], want[1])
	}
	_, err := Load(context.Background(), Query{Dir: dir, Arch: "vax", Packages: []string{"./good"}})
	checkError(t, "vax", err, `^no machine is called "vax"$`, "go tool dist list")
	_, err = Load(context.Background(), Query{Dir: t.TempDir(), Types: []Want{{Type: "A"}}})
	checkError(t, "no module", err, "^no go.mod in this directory or above$", "cd into a module")
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err = Load(cancelled, Query{Dir: dir, Packages: []string{"./good"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func checkError(t *testing.T, what string, err error, want, hint string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error", what)
		return
	}
	got := ""
	if e := exit.As(err); e != nil {
		got = e.Hint
	}
	if !matches(want, err.Error()) || strings.ContainsAny(err.Error(), "\n\t") {
		t.Errorf("%s: %q, want %s", what, err, want)
	}
	if !strings.Contains(got, hint) || (hint == "") != (got == "") {
		t.Errorf("%s: the hint is %q, want %q", what, got, hint)
	}
}

// TestFinds goes through the ways to name types.
func TestFinds(t *testing.T) {
	dir := module(t, map[string]string{
		"m.go":       "package m\n\ntype Top struct{ x int }\ntype low struct{ x int32 }\n",
		"a/a.go":     "package a\n\nimport \"time\"\n\ntype Both struct{ x int8; at time.Time }\ntype Of[T any] struct{ v T }\ntype local int16\n",
		"b/b.go":     "package b\n\nimport alias \"example.org/m/a\"\n\ntype Both struct{ x int64 }\ntype Uses struct{ a alias.Of[bool] }\n",
		"b/tag.go":   "//go:build special\n\npackage b\n\ntype Tagged struct{}\n",
		"b/x_386.go": "package b\n\ntype Only32 struct{ p *int; n int64 }\n",
	})
	for _, c := range []struct {
		args       string
		arch, tags string
		want       string
	}{
		{"Top", "", "", "example.org/m.Top 8"},
		{".low", "", "", "example.org/m.low 4"},
		{". Top .low", "", "", "example.org/m.Top 8, example.org/m.low 4"},
		{"./a ./b Both", "", "", "example.org/m/a.Both 32, example.org/m/b.Both 8"},
		{"./... Both Top", "", "", "example.org/m/a.Both 32, example.org/m/b.Both 8, example.org/m.Top 8"},
		{"./a.Both ./b.Uses", "", "", "example.org/m/a.Both 32, example.org/m/b.Uses 1"},
		{"example.org/m/b.Both", "", "", "example.org/m/b.Both 8"},
		{"./a.Of[int16] ./a.Of[[]local]", "", "", "example.org/m/a.Of[int16] 2, example.org/m/a.Of[[]local] 24"},
		{"./a.Of[time.Duration]", "", "", "example.org/m/a.Of[time.Duration] 8"},
		{"./a.Of[struct{a,b\u0020int8}]", "", "", "example.org/m/a.Of[struct{a int8; b int8}] 2"},
		{"unicode ./a.Of[map[string]unicode.Range16]", "", "", "example.org/m/a.Of[map[string]unicode.Range16] 8"},
		{"./b.Tagged", "", "special", "example.org/m/b.Tagged 0"},
		{"./b.Only32", "386", "", "example.org/m/b.Only32 12"},
	} {
		q := ParseArgs(dir, splitArgs(c.args))
		q.Arch, q.Tags = c.arch, c.tags
		found, err := Load(context.Background(), q)
		if err != nil {
			t.Errorf("%s: %v", c.args, err)
			continue
		}
		var got []string
		for _, n := range found.Structs {
			got = append(got, n.Path+"."+n.Name+" "+itoa(n.Size))
		}
		if hostWord == 8 && strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %s, want %s", c.args, strings.Join(got, ", "), c.want)
		}
	}
	// A broken package does not hide the others.
	dir2 := module(t, map[string]string{
		"a/a.go": "package a\n\ntype A struct{ x int }\n",
		"b/b.go": "package b\n\ntype B struct{ x missing }\n",
		"c/c.go": "package c\n\nimport \"example.org/m/b\"\n\ntype C struct{ b.B }\n",
	})
	for _, q := range []Query{{Packages: []string{"./..."}}, {Packages: []string{"./..."}, Types: []Want{{Type: "A"}}}} {
		q.Dir = dir2
		found, err := Load(context.Background(), q)
		if err != nil || len(found.Structs) != 1 || found.Structs[0].Name != "A" || len(found.Broken) != 1 || !matches(`b/b.go:3:18: undefined: missing$`, found.Broken[0].Error()) {
			t.Errorf("%+v, %v; want A, and what is wrong with b", found, err)
		}
	}
	_, err := Load(context.Background(), Query{Dir: dir2, Packages: []string{"./..."}, Types: []Want{{Type: "B"}}})
	checkError(t, "a type in a broken package", err, `undefined: missing$`, "")
	found, err := Load(context.Background(), Query{Dir: dir, Packages: []string{"./..."}, Arch: "amd64"})
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Structs) != 5 || !slices.Equal(found.Generic, []string{"example.org/m/a.Of"}) {
		t.Errorf("%d structs, generic %q", len(found.Structs), found.Generic)
	}
}

// TestLinkedDirectory: patterns mean the same in a directory that is reached by a link.
func TestLinkedDirectory(t *testing.T) {
	dir := module(t, map[string]string{"a/a.go": "package a\n\ntype A struct{ x int32 }\n"})
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	t.Chdir(link)
	for _, pattern := range []string{"./...", "./a"} {
		found, err := Load(t.Context(), ParseArgs("", []string{pattern, "A"}))
		if err != nil || len(found.Structs) != 1 {
			t.Errorf("%s: %+v, %v", pattern, found, err)
		}
	}
}
