package structs

import (
	"context"
	"encoding/xml"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/binary/layout"
)

const hostWord = bits.UintSize / 8

// everything are types of testdata/src/ring.
var everything = []string{"SPSC", "Loose", "Counters", "Guarded", "Ring[time.Time]", "pairOf[string, [2]*Loose]", "Padded", "Big", "Empty", "Alias", "Waiting"}

// load measures some of them for this machine.
func load(t *testing.T, names ...string) []*layout.Struct {
	t.Helper()
	q := Query{Dir: "testdata/src", Packages: []string{"./ring"}}
	for _, n := range names {
		q.Types = append(q.Types, Want{Type: n})
	}
	found, err := Load(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	var all []*layout.Struct
	for _, n := range found.Structs {
		all = append(all, layout.Measure(n, 64, true))
	}
	return all
}

// TestAgainstReflect compares with what the compiler made of types of this very
// program.
func TestAgainstReflect(t *testing.T) {
	all := []reflect.Type{
		reflect.TypeFor[sync.Pool](), reflect.TypeFor[sync.Map](), reflect.TypeFor[sync.RWMutex](), reflect.TypeFor[sync.Once](),
		reflect.TypeFor[time.Time](), reflect.TypeFor[time.Location](), reflect.TypeFor[exec.Cmd](), reflect.TypeFor[xml.Decoder](),
		reflect.TypeFor[layout.Node](), reflect.TypeFor[layout.Struct](), reflect.TypeFor[Found](),
	}
	var q Query
	for _, typ := range all {
		q.Types = append(q.Types, Want{Package: typ.PkgPath(), Type: typ.Name()})
	}
	found, err := Load(context.Background(), q)
	if err != nil || len(found.Structs) != len(all) {
		t.Fatalf("%+v, %v; want %d structs", found, err, len(all))
	}
	for i, typ := range all {
		n := found.Structs[i]
		if n.Size != int64(typ.Size()) || n.Align != int64(typ.Align()) || len(n.Fields) != typ.NumField() {
			t.Errorf("%s: size %d, align %d, %d fields; want %d, %d, %d", typ, n.Size, n.Align, len(n.Fields), typ.Size(), typ.Align(), typ.NumField())
			continue
		}
		for i, f := range n.Fields {
			if want := typ.Field(i); f.Name != want.Name || f.Offset != int64(want.Offset) || f.Size != int64(want.Type.Size()) {
				t.Errorf("%s: field %s at %d, size %d; want %s at %d, size %d", typ, f.Name, f.Offset, f.Size, want.Name, want.Offset, want.Type.Size())
			}
		}
	}
}

// TestBinaryAgainstSources builds a program, and finds the same structs in its
// debug data as in its sources.
func TestBinaryAgainstSources(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "use")
	cmd := exec.Command("go", "build", "-o", bin, "./use")
	cmd.Dir = "testdata/src"
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	names := slices.DeleteFunc(slices.Clone(everything), func(s string) bool { return s == "Alias" })
	sources := load(t, names...)
	for i, name := range names {
		asBinary := strings.NewReplacer("string, [2]*Loose", "string,[2]*example.org/layouts/ring.Loose").Replace(name)
		for _, w := range []string{asBinary, "ring." + asBinary, "example.org/layouts/ring." + asBinary} {
			found, err := ReadBinary(bin, Query{Types: ParseTypes([]string{w})})
			if err != nil {
				t.Error(err)
				continue
			}
			if len(found.Structs) != 1 {
				t.Errorf("%s: %d structs are found", w, len(found.Structs))
				continue
			}
			got, want := layout.Measure(found.Structs[0], 64, true), *sources[i]
			if name != "Counters" { // which calls there are is not in debug data
				compareStructs(t, name, got, &want)
			} else if got.Size != want.Size || got.Padding != want.Padding {
				t.Errorf("%s: size %d, padding %d; want %d, %d", name, got.Size, got.Padding, want.Size, want.Padding)
			}
		}
	}
	for _, c := range []struct{ typ, want string }{
		{"ring.SPCS", "SPSC"}, {"Ring", "ring.Ring[time.Time]"},
	} {
		_, err := ReadBinary(bin, Query{Types: ParseTypes([]string{c.typ})})
		if e := exit.As(err); e == nil || !strings.Contains(e.Hint, c.want) {
			t.Errorf("%s: %v; want an error with a hint at %s", c.typ, err, c.want)
		}
	}
	found, err := ReadBinary(bin, Query{Packages: []string{"example.org/..."}})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range found.Structs {
		if n.Path != "example.org/layouts/ring" {
			t.Errorf("a struct of package %q", n.Path)
		}
	}
	if len(found.Structs) < len(names) {
		t.Errorf("%d structs, want at least %d", len(found.Structs), len(names))
	}
}

func compareStructs(t *testing.T, name string, got, want *layout.Struct) {
	for _, s := range []*layout.Struct{got, want} {
		for _, fields := range [][]layout.Field{s.Fields, fieldsOf(s.Best), fieldsOf(s.Separated)} {
			for i := range fields {
				fields[i].Type = "" // is written in two ways
			}
		}
	}
	want.Where, got.Where, got.Name = "", "", want.Name
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: in the binary\n%+v\nin the sources\n%+v", name, *got, *want)
	}
}

func fieldsOf(o *layout.Order) []layout.Field {
	if o == nil {
		return nil
	}
	return o.Fields
}

func TestNoDebugData(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ReadBinary(exe, Query{Types: []Want{{Type: "nosuchtype"}}}); err == nil {
		t.Error("a type that is not there was found")
	}
	if _, err := ReadBinary("truth_test.go", Query{}); err == nil || !strings.Contains(err.Error(), "truth_test.go: not an executable file") {
		t.Errorf("a text: %v", err)
	}
}
