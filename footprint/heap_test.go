package footprint

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
)

type tree struct {
	left, right *tree
	key         int
	value       any
}

func grow(depth, key int) *tree {
	if depth == 0 {
		return nil
	}
	return &tree{grow(depth-1, 2*key), grow(depth-1, 2*key+1), key, key}
}

type link struct {
	next *link
	v    int
}

func chain(n int) (first *link) {
	for i := range n {
		first = &link{first, i}
	}
	return first
}

// settled is the size of the heap when it no longer falls.
func settled() int64 {
	var m runtime.MemStats
	last := int64(-1)
	for range 20 {
		runtime.GC()
		runtime.ReadMemStats(&m)
		if now := int64(m.HeapAlloc); last >= 0 && now >= last {
			return now
		} else {
			last = now
		}
	}
	return last
}

// TestAgainstRuntime compares with the growth of the settled heap, which must be
// met within 1 %. Each subject has megabytes, so that the kilobytes that the
// runtime itself takes meanwhile do not matter.
func TestAgainstRuntime(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func() any
	}{
		{"map of numbers", func() any {
			m := map[int]int{}
			for i := range 300_000 {
				m[i] = i
			}
			return m
		}},
		{"map of strings to structs", func() any {
			m := map[string]tree{}
			for i := range 200_000 {
				m[fmt.Sprint("key ", i)] = tree{key: i}
			}
			return m
		}},
		{"map with hint", func() any { return make(map[string]*tree, 300_000) }},
		{"map, half deleted", func() any {
			m := map[int32]*link{}
			for i := range 200_000 {
				m[int32(i)] = &link{v: i}
			}
			for i := range 100_000 {
				delete(m, int32(2*i))
			}
			return m
		}},
		{"map of large values", func() any {
			m := map[int][150]byte{}
			for i := range 50_000 {
				m[i] = [150]byte{}
			}
			return m
		}},
		{"map of maps", func() any {
			m := map[int]map[int]int{}
			for i := range 20_000 {
				m[i] = mapOfInts(i % 20)
			}
			return m
		}},
		{"grown slices", func() any {
			var all [][]int
			for i := range 20_000 {
				var s []int
				for j := range i % 200 {
					s = append(s, j)
				}
				all = append(all, s)
			}
			return all
		}},
		{"bytes", func() any { return make([]byte, 32<<20) }},
		{"strings", func() any {
			var all []string
			for i := range 100_000 {
				all = append(all, strings.Repeat("x", i%100))
			}
			return all
		}},
		{"tree", func() any { return grow(17, 1) }},
		{"list", func() any { return chain(200_000) }},
		{"channels", func() any {
			var all []any
			for i := range 20_000 {
				all = append(all, make(chan int, i%50), chanOf(1+i%50, &link{}))
			}
			return all
		}},
		{"sync.Map", func() any {
			m := new(sync.Map)
			for i := range 50_000 {
				m.Store(i, fmt.Sprint("value ", i))
			}
			return m
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			Measure(c.build()) // what is made once and kept, such as types, does not count
			before := settled()
			x := c.build()
			grown := settled() - before
			r := Measure(x)
			runtime.KeepAlive(x)
			if grown < 2<<20 {
				t.Fatalf("the heap has grown by %d bytes, too few to tell", grown)
			}
			off := float64(r.Bytes)/float64(grown) - 1
			t.Logf("%+.4f %% of %d", 100*off, grown)
			if off < -0.01 || off > 0.01 {
				t.Errorf("%d bytes where the heap has grown by %d, %+.2f %%:\n%s", r.Bytes, grown, 100*off, r)
			}
		})
	}
}

func mapOfInts(n int) map[int]int {
	m := map[int]int{}
	for i := range n {
		m[i] = i
	}
	return m
}

// TestGrowthOfMaps goes through the sizes at which maps change their shape. It makes
// many maps of each size, so that their size exceeds the noise of the heap.
func TestGrowthOfMaps(t *testing.T) {
	for _, n := range []int{1, 7, 8, 9, 14, 15, 112, 113, 896, 897, 1792, 5000} {
		count := 8<<20/(n*24+200) + 1
		build := func() []map[int]int {
			all := make([]map[int]int, count)
			for i := range all {
				all[i] = mapOfInts(n)
			}
			return all
		}
		before := settled()
		x := build()
		grown := settled() - before
		r := Measure(x)
		runtime.KeepAlive(x)
		if off := float64(r.Bytes)/float64(grown) - 1; off < -0.01 || off > 0.01 {
			t.Errorf("%d maps of %d: %d bytes where the heap has grown by %d, %+.2f %%", count, n, r.Bytes, grown, 100*off)
		}
	}
}
