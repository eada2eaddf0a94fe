package layout

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"go/types"
	"math/bits"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

const hostWord = bits.UintSize / 8

// everything are types of testdata/src/ring.
var everything = []string{"SPSC", "Loose", "Counters", "Guarded", "Ring[time.Time]", "pairOf[string, [2]*Loose]", "Padded", "Big", "Empty", "Alias", "Waiting"}

// load measures some of them for this machine.
func load(t *testing.T, names ...string) []*Struct {
	t.Helper()
	q := Query{Dir: "testdata/src", Packages: []string{"./ring"}}
	for _, n := range names {
		q.Types = append(q.Types, Want{Type: n})
	}
	found, err := Load(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	var all []*Struct
	for _, n := range found.Structs {
		all = append(all, Measure(n, Options{Apart: true}))
	}
	return all
}

// TestAgainstReflect compares with what the compiler made of types of this very
// program.
func TestAgainstReflect(t *testing.T) {
	all := []reflect.Type{
		reflect.TypeFor[sync.Pool](), reflect.TypeFor[sync.Map](), reflect.TypeFor[sync.RWMutex](), reflect.TypeFor[sync.Once](),
		reflect.TypeFor[time.Time](), reflect.TypeFor[time.Location](), reflect.TypeFor[exec.Cmd](), reflect.TypeFor[xml.Decoder](),
		reflect.TypeFor[Node](), reflect.TypeFor[Struct](), reflect.TypeFor[NotFoundError](),
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
			got, want := Measure(found.Structs[0], Options{Apart: true}), *sources[i]
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
		if e := (*NotFoundError)(nil); !errors.As(err, &e) || !strings.Contains(e.Hint(), c.want) {
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

func compareStructs(t *testing.T, name string, got, want *Struct) {
	for _, s := range []*Struct{got, want} {
		for _, fields := range [][]Field{s.Fields, fieldsOf(s.Best), fieldsOf(s.Apart)} {
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

func fieldsOf(o *Order) []Field {
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

// TestOrders tries all orders of small random structs: none takes less than the
// best, and places agree with the rules of go/types.
func TestOrders(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	kinds := []types.Type{types.Typ[types.Bool], types.Typ[types.Int16], types.Typ[types.Int32], types.Typ[types.Float64], types.Typ[types.String],
		types.NewArray(types.Typ[types.Uint8], 3), types.NewArray(types.Typ[types.Int32], 5), types.NewStruct(nil, nil), types.Typ[types.Complex128]}
	for range 300 {
		arch := []string{"amd64", "386", "arm64"}[rnd.IntN(3)]
		sizes := types.SizesFor("gc", arch)
		n := 1 + rnd.IntN(6)
		var picked []types.Type
		for range n {
			picked = append(picked, kinds[rnd.IntN(len(kinds))])
		}
		node := structOf(sizes, arch, picked)
		least := node.Size
		permute(picked, func(order []types.Type) {
			other := structOf(sizes, arch, order)
			least = min(least, other.Size)
			if o, _ := place(other, other.Fields); o.Size != other.Size {
				t.Fatalf("%s: %v takes %d, want %d (seed %d)", arch, order, o.Size, other.Size, seed)
			}
		})
		got := node.Size
		if b := best(node); b != nil {
			got = b.Size
		}
		if got != least {
			t.Errorf("%s: the best order of %v takes %d, and there is one of %d (seed %d)", arch, picked, got, least, seed)
		}
	}
}

func structOf(sizes types.Sizes, arch string, fields []types.Type) *Node {
	var vars []*types.Var
	for i, f := range fields {
		vars = append(vars, types.NewField(0, nil, fmt.Sprint("f", i), f, false))
	}
	s := types.NewStruct(vars, nil)
	n := &Node{Arch: arch, Size: sizes.Sizeof(s), Align: sizes.Alignof(s)}
	for i, at := range sizes.Offsetsof(vars) {
		n.Fields = append(n.Fields, Node{Name: vars[i].Name(), Offset: at, Size: sizes.Sizeof(fields[i]), Align: sizes.Alignof(fields[i])})
	}
	return n
}

// permute calls back with all orders of a list (Heap 1963).
func permute(list []types.Type, visit func([]types.Type)) {
	list = slices.Clone(list)
	var turn func(k int)
	turn = func(k int) {
		if k <= 1 {
			visit(list)
			return
		}
		for i := range k {
			turn(k - 1)
			if k%2 == 0 {
				list[i], list[k-1] = list[k-1], list[i]
			} else {
				list[0], list[k-1] = list[k-1], list[0]
			}
		}
	}
	turn(len(list))
}

// TestApart: in random structs no line with an atomic field holds anything else.
func TestApart(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		n := &Node{Arch: runtime.GOARCH}
		atomics := 0
		for i := range 1 + rnd.IntN(8) {
			f := Node{Name: fmt.Sprint("f", i), Align: int64(1) << rnd.IntN(4)}
			f.Size = f.Align * int64(1+rnd.IntN(12))
			if rnd.IntN(3) == 0 {
				f.Role = Atomic
				atomics++
			}
			n.Fields = append(n.Fields, f)
		}
		o := apart(n, 64)
		if atomics == 0 {
			if o != nil {
				t.Fatalf("an order for no atomic field (seed %d)", seed)
			}
			continue
		}
		if o.Size%64 != 0 {
			t.Fatalf("%d bytes are no whole lines (seed %d)", o.Size, seed)
		}
		byLine := map[int64][]Field{}
		found := 0
		for _, f := range o.Fields {
			if f.Added() || f.Role == Pad {
				continue
			}
			found++
			for l := f.Offset / 64; l <= (f.Offset+f.Size-1)/64; l++ {
				byLine[l] = append(byLine[l], f)
			}
		}
		for l, fields := range byLine {
			if len(fields) > 1 && slices.ContainsFunc(fields, func(f Field) bool { return f.Role == Atomic }) {
				t.Fatalf("line %d holds %v (seed %d)", l, fields, seed)
			}
		}
		if found != len(n.Fields) {
			t.Fatalf("%d of %d fields are left (seed %d)", found, len(n.Fields), seed)
		}
	}
}
