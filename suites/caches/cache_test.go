package caches

import (
	"strings"
	"sync"
	"testing"
	"unsafe"
)

// small is a size at which even bigcache, which is sized in MiB, holds what it is
// asked for.
var small = Config{Name: "small", Entries: 30_000, Keys: 300_000, Workers: 2}

// build makes a cache that is closed with the test, on a source that is free.
func build(t *testing.T, k Kind) (Cache, *Source) {
	t.Helper()
	src := new(Source)
	src.free.Store(true)
	c, err := k.New(small.Entries, small.Keys, src)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c, src
}

func each(t *testing.T, f func(t *testing.T, k Kind)) {
	for _, k := range All() {
		t.Run(k.Name, func(t *testing.T) { f(t, k) })
	}
}

// TestGetAfterLoad: what was loaded comes out again, without another load.
func TestGetAfterLoad(t *testing.T) {
	each(t, func(t *testing.T, k Kind) {
		c, src := build(t, k)
		s := c.Session()
		for key := range 100 {
			if v := s.Get(key); v != Value(key) {
				t.Fatal(wrong(key, v))
			}
		}
		c.Settle()
		want := int64(100)
		if k.Floor {
			want = 0
		}
		if n := src.Loads(); n != want {
			t.Errorf("%d loads for 100 keys, want %d", n, want)
		}
		for key := range 100 {
			if v := s.Get(key); v != Value(key) {
				t.Fatal(wrong(key, v))
			}
		}
		if n := src.Loads(); n != want {
			t.Errorf("%d loads after the second round, want %d", n, want)
		}
	})
}

// TestPut: a value that was put comes out as it is, whatever the source says; so a
// cache that held a wrong one would be seen.
func TestPut(t *testing.T) {
	each(t, func(t *testing.T, k Kind) {
		c, src := build(t, k)
		s := c.Session()
		for key := range 100 {
			s.Put(key, -key)
		}
		c.Settle()
		other := c.Session()
		for key := range 100 {
			if v := other.Get(key); v != -key {
				t.Fatalf("key %d: %d, want %d", key, v, -key)
			}
		}
		if n := src.Loads(); n != 0 {
			t.Errorf("%d loads of keys that had been put", n)
		}
	})
}

// TestWrongValue: filling ends with an error at the first wrong value.
func TestWrongValue(t *testing.T) {
	k := mapKind
	k.Name = "liar"
	k.New = func(entries, keys int, src *Source) (Cache, error) {
		c, err := mapKind.New(entries, keys, src)
		return liar{c}, err
	}
	_, err := NewSubject(k, small)
	if err == nil || !strings.HasPrefix(err.Error(), "liar: the value of key ") {
		t.Errorf("error %v", err)
	}
}

// liar is a cache that gives one value for another.
type liar struct{ Cache }

func (l liar) Session() Session { return lies{l.Cache.Session()} }

type lies struct{ Session }

func (l lies) Get(key int) int { return l.Session.Get(key) + key%2 }

// TestCapacity: a subject is full and holds what was asked for, within the slack
// that the library leaves.
func TestCapacity(t *testing.T) {
	each(t, func(t *testing.T, k Kind) {
		s, err := NewSubject(k, small)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		n := s.Entries()
		share := float64(n) / float64(small.Entries)
		if share < k.Low || (k.High > 0 && share > k.High) {
			t.Errorf("%d entries of %d asked for, want %v to %v times as many", n, small.Entries, k.Low, k.High)
		}
		if k.High == 0 && n <= small.Entries {
			t.Errorf("%d entries without bound", n)
		}
	})
}

// TestLen: Len counts keys, each once.
func TestLen(t *testing.T) {
	each(t, func(t *testing.T, k Kind) {
		if k.Floor {
			t.Skip("always full")
		}
		c, _ := build(t, k)
		if n := c.Len(); n != 0 {
			t.Errorf("%d entries in a new cache", n)
		}
		s := c.Session()
		const n = 500
		for key := range n {
			s.Put(key, Value(key))
		}
		c.Settle()
		if got := c.Len(); got != n {
			t.Errorf("%d entries of %d put", got, n)
		}
	})
}

// TestTogether: sessions may be used at the same time, and their values are right
// while entries come and go.
func TestTogether(t *testing.T) {
	z, err := NewZipf(small.Keys)
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, k Kind) {
		c, src := build(t, k)
		const goroutines, gets = 4, 50_000
		var wg sync.WaitGroup
		for g := range goroutines {
			keys, s := z.Keys(uint64(g)), c.Session()
			wg.Go(func() {
				for range gets {
					key := keys.Next()
					if v := s.Get(key); v != Value(key) {
						t.Error(wrong(key, v))
						return
					}
				}
			})
		}
		wg.Wait()
		if n := src.Loads(); !k.Floor && (n == 0 || n >= goroutines*gets) {
			t.Errorf("%d loads for %d gets", n, goroutines*gets)
		}
	})
}

// TestHitAllocs: what a hit allocates is the library's doing, and known. The buffers
// that sessions keep for their library's sake are theirs, not made anew.
func TestHitAllocs(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	want := map[string]float64{
		"bigcache": 2, // copies of key and value
		"theine":   1, // the key, which a function refers to that loads it
		"sturdyc":  1, // the key; functions that wrap the fetch come and go with the compiler
	}
	each(t, func(t *testing.T, k Kind) {
		c, _ := build(t, k)
		s := c.Session()
		s.Get(7)
		c.Settle()
		got := testing.AllocsPerRun(1000, func() { s.Get(7) })
		if k.Name == "sturdyc" {
			if got < want[k.Name] {
				t.Errorf("%v allocations, want at least %v", got, want[k.Name])
			}
			return
		}
		if got > want[k.Name] {
			t.Errorf("%v allocations, want %v", got, want[k.Name])
		}
	})
}

// TestStripes: counters do not share a pair of cache lines.
func TestStripes(t *testing.T) {
	if n := unsafe.Sizeof(stripe{}); n != 128 {
		t.Errorf("a stripe has %d bytes", n)
	}
}

func TestKinds(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range All() {
		if k.Name == "" || seen[k.Name] || strings.ContainsAny(k.Name, " /=") {
			t.Errorf("name %q", k.Name)
		}
		seen[k.Name] = true
		if k.Note == "" || k.Flight == "" || k.New == nil || k.Low > k.High && k.High != 0 {
			t.Errorf("%s: %+v", k.Name, k)
		}
	}
}
