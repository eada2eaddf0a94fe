package layout

import (
	"fmt"
	"go/types"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

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

// TestSeparated: in random structs no line with an atomic field holds anything else.
func TestSeparated(t *testing.T) {
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
		o := separated(n, 64)
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
