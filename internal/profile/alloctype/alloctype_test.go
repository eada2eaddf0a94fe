package alloctype

import "testing"

// TestName names what programs allocate by the runtime function and the type that the allocator gets.
func TestName(t *testing.T) {
	for _, c := range []struct{ via, typ, want string }{
		{"runtime.newobject", "m.T", "m.T"},
		{"runtime.newobject", "struct { F uintptr; X0 int }", "closure"},
		{"runtime.makeslice", "int", "[]int"},
		{"runtime.growslice", "*m.T", "[]*m.T"},
		{"runtime.concatstrings", "", "string"},
		{"internal/bytealg.MakeNoZero", "", "[]uint8"},
		{"runtime.mapassign_faststr", "map.group[string]int", "map"},
		{"internal/runtime/maps.NewMap", "maps.table", "map"},
		{"runtime.convT64", "uint64", "number in an interface"},
		{"runtime.convT", "m.T", "m.T"},
		{"reflect.unsafe_New", "m.T", "m.T"},
		{"runtime.newobject", "go.shape.[4]int64", "[4]int64"},
		{"runtime.growslice", "", "slice without pointers"},
		{"runtime.other", "", ""},
	} {
		if got := Name(c.via, c.typ); got != c.want {
			t.Errorf("Name(%q, %q) = %q, want %q", c.via, c.typ, got, c.want)
		}
	}
}
