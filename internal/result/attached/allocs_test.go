package attached

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// counted is a fork with objects of 16 bytes at lines 1, 2, … of one function.
func countedAllocs(ops int64, objects ...int64) *record.Allocs {
	a := &record.Allocs{Windows: 2, Ops: ops}
	for i, n := range objects {
		a.Sites = append(a.Sites, record.AllocSite{Func: "p.f", File: "f.go", Line: 1 + i, Type: "T", Size: 16, AllocCount: record.AllocCount{Objects: n, Bytes: 16 * n}})
		a.Objects, a.Bytes = a.Objects+n, a.Bytes+16*n
	}
	return a
}

// TestMedianAllocs: the fork in the middle counts, so that the sites add up, and the range is that of all forks.
func TestMedianAllocs(t *testing.T) {
	if MedianAllocs(nil) != nil {
		t.Error("counts of no fork")
	}
	a := MedianAllocs([]*record.Allocs{countedAllocs(10, 30, 10), countedAllocs(10, 20, 10), countedAllocs(100, 250)})
	if a.Forks != 3 || a.Objects != 3 || a.Bytes != 48 || len(a.Sites) != 2 {
		t.Fatalf("%+v", a)
	}
	if s := a.Sites[0]; s.Objects != 2 || s.Lo.Objects != 2 || s.Hi.Objects != 3 || s.Hi.Bytes != 48 {
		t.Errorf("%+v", s)
	}
	if s := a.Sites[1]; s.Objects != 1 || s.Lo.Objects != 0 || s.Hi.Objects != 1 {
		t.Errorf("%+v", s)
	}
}

// TestMedianAllocsAddUp: whichever fork is in the middle, its parts add up.
func TestMedianAllocsAddUp(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 200 {
		var forks []*record.Allocs
		for range 1 + r.IntN(5) {
			a := countedAllocs(1+r.Int64N(1000), r.Int64N(5000), r.Int64N(5000), r.Int64N(50)-25)
			a.Rest, a.Unseen = record.AllocCount{Objects: r.Int64N(9), Bytes: r.Int64N(99)}, record.AllocCount{Objects: -1, Bytes: -16}
			a.Objects, a.Bytes = a.Objects+a.Rest.Objects-1, a.Bytes+a.Rest.Bytes-16
			forks = append(forks, a)
		}
		a := MedianAllocs(forks)
		sum := addParts(a.Rest, a.Unseen)
		for _, s := range a.Sites {
			sum = addParts(sum, s.AllocPart)
			if s.Objects < s.Lo.Objects || s.Objects > s.Hi.Objects {
				t.Errorf("%+v is outside of its range", s)
			}
		}
		if math.Abs(float64(sum.Objects-a.Objects)) > 1e-6 || math.Abs(float64(sum.Bytes-a.Bytes)) > 1e-6 {
			t.Errorf("%+v is the sum of %+v", a.AllocPart, sum)
		}
	}
}

// siteAt is a site that all forks agree about, and siteFrom one about which they do not.
func siteAt(fn string, line int, typ string, objects float64) AllocSite {
	return siteFrom(fn, line, typ, objects, objects, objects)
}

func siteFrom(fn string, line int, typ string, lo, objects, hi float64) AllocSite {
	of := func(n float64) AllocPart { return AllocPart{Objects: stat.Number(n), Bytes: stat.Number(16 * n)} }
	return AllocSite{Func: fn, Line: line, Type: typ, Size: 16, AllocPart: of(objects), Lo: of(lo), Hi: of(hi)}
}

// TestAllocChanges: what differs between sides, by sites that may have moved.
func TestAllocChanges(t *testing.T) {
	for _, c := range []struct {
		name     string
		old, new []AllocSite
		want     string
	}{
		{"nothing", []AllocSite{siteAt("f", 1, "T", 2)}, []AllocSite{siteAt("f", 1, "T", 2)}, ""},
		{"moved", []AllocSite{siteAt("f", 1, "T", 2)}, []AllocSite{siteAt("f", 9, "T", 2)}, ""},
		{"moved, and one more", []AllocSite{siteAt("f", 1, "T", 2)}, []AllocSite{siteAt("f", 9, "T", 3)}, "f:1>9 T 2>3"},
		{"two moved", []AllocSite{siteAt("f", 1, "T", 2), siteAt("f", 5, "T", 7)}, []AllocSite{siteAt("f", 3, "T", 2), siteAt("f", 7, "T", 8)}, "f:5>7 T 7>8"},
		{"a line stays", []AllocSite{siteAt("f", 5, "T", 7)}, []AllocSite{siteAt("f", 3, "T", 2), siteAt("f", 5, "T", 7)}, "f:0>3 T 0>2"},
		{"new", nil, []AllocSite{siteAt("f", 1, "T", 1)}, "f:0>1 T 0>1"},
		{"gone", []AllocSite{siteAt("f", 1, "T", 1)}, nil, "f:1>0 T 1>0"},
		{"another type", []AllocSite{siteAt("f", 1, "T", 1)}, []AllocSite{siteAt("f", 1, "U", 1)}, "f:1>0 T 1>0, f:0>1 U 0>1"},
		{"largest first", nil, []AllocSite{siteAt("f", 1, "T", 1), siteAt("g", 1, "T", 5)}, "g:0>1 T 0>5, f:0>1 T 0>1"},
		{"ranges overlap", []AllocSite{siteFrom("f", 1, "T", 1, 1, 3)}, []AllocSite{siteFrom("f", 1, "T", 2, 4, 4)}, ""},
		{"few, and not by chance", nil, []AllocSite{siteAt("f", 1, "T", 0.03)}, "f:0>1 T 0>0.03"},
		{"by chance", nil, []AllocSite{siteAt("f", 1, "T", 0.015)}, ""},
		{"too little", []AllocSite{siteAt("f", 1, "T", 0)}, []AllocSite{siteAt("f", 1, "T", 0.001)}, ""},
	} {
		got := ""
		for i, x := range AllocChanges(&Allocs{Ops: 1000, Sites: c.old}, &Allocs{Ops: 1000, Sites: c.new}) {
			if i > 0 {
				got += ", "
			}
			got += fmt.Sprintf("%s:%d>%d %s %v>%v", x.Func, x.OldLine, x.NewLine, x.Type, float64(x.Old.Objects), float64(x.New.Objects))
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if AllocChanges(nil, &Allocs{}) != nil || AllocChanges(&Allocs{}, nil) != nil {
		t.Error("changes from what was not counted")
	}
}
