package render

import (
	"strings"

	"github.com/tarebench/tare/internal/result"
)

func allocCases() []testCase {
	narrow := look{"60.txt", Text, Options{UTF8: true, Width: 60}}
	return []testCase{
		{"allocs", newSummary(allocsDecode(""), allocsNothing(), allocsMany()), []look{
			text100(), ascii(), narrow, verbose(), asMarkdown(), {"json", JSON, Options{}},
		}},
		{"allocs-sides", sidesOfAllocs(), []look{text100(), verbose(), asMarkdown()}},
		{"allocs-hostile", newSummary(allocsHostile()), []look{text100(), verbose(), {"verbose.md", Markdown, Options{Verbose: true}}}},
	}
}

func allocsResult(pkg, name string, a *result.Allocs) result.Benchmark {
	r := benchRow(pkg, name, interval(100, 98, 103), around(20, 100, 97, 105))
	r.Allocs = a
	return r
}

func allocPart(objects, bytes float64) result.AllocPart {
	return result.AllocPart{Objects: result.Number(objects), Bytes: result.Number(bytes)}
}

// allocSite is a site of package codec that all forks agree about.
func allocSite(fn string, line int, typ string, size int64, objects float64, path ...string) result.AllocSite {
	x := allocPart(objects, objects*float64(size))
	return result.AllocSite{Func: "example.org/m/codec." + fn, File: "/home/u/m/codec/codec.go", Line: line, Type: typ, Size: size, Path: path, AllocPart: x, Lo: x, Hi: x}
}

// allocsDecode has a site whose objects share slots, and one outside of the package.
func allocsDecode(side string) result.Benchmark {
	a := &result.Allocs{
		Forks: 3, Windows: 2, Ops: 3000, AllocPart: allocPart(5.031, 210.6),
		Sites: []result.AllocSite{
			allocSite("(*Decoder).value", 71, "[]uint8", 64, 2, "example.org/m/codec.(*Decoder).Decode", "example.org/m/codec.BenchmarkDecode"),
			{Func: "strconv.Itoa", File: "strconv/itoa.go", Line: 35, Type: "string", Size: 24, Path: []string{"example.org/m/codec.name"}, AllocPart: allocPart(1, 24), Lo: allocPart(1, 24), Hi: allocPart(1, 24)},
			allocSite("(*Decoder).number", 90, "number in an interface", 16, 0.5),
			allocSite("(*Decoder).number", 90, "number in an interface", 0, 1.5),
			allocSite("grow", 12, "", 4096, 0.001),
		},
		Rest: allocPart(0.03, 45), Unseen: allocPart(0, 0),
	}
	r := allocsResult("example.org/m/codec", "Decode", a)
	r.Side = side
	return r
}

func allocsNothing() result.Benchmark {
	return allocsResult("example.org/m/codec", "Nothing", &result.Allocs{Forks: 3, Windows: 2, Ops: 3000, Sites: []result.AllocSite{}})
}

// allocsMany has more sites than are shown, one window, and objects without a site.
func allocsMany() result.Benchmark {
	a := &result.Allocs{Forks: 1, Windows: 1, Ops: 40, AllocPart: allocPart(100, 12_000), Unseen: allocPart(-0.5, -32)}
	for i := range 14 {
		a.Sites = append(a.Sites, allocSite("f"+strings.Repeat("x", i), 100+i, "*codec.node", int64(16+16*i), float64(20-i)))
	}
	return allocsResult("example.org/m/codec", "Many", a)
}

// sidesOfAllocs has a site that is gone, a new one, one that allocates more on another line, and one that did not change.
func sidesOfAllocs() *result.Result {
	before, after := allocsDecode("old"), allocsDecode("new")
	after.Allocs.Sites[0] = allocSite("(*Decoder).value", 74, "[]uint8", 64, 3)
	after.Allocs.Sites[1] = allocSite("name", 31, "closure", 48, 2)
	s := newSummary(before, after)
	s.Comparisons = []result.Comparison{against("Decode", "ns/op", 100, 120, 1.1, 1.3, slower)}
	for i := range s.Results {
		s.Results[i].Procs = 2
	}
	return s
}

func allocsHostile() result.Benchmark {
	evil := "evil|`x`\x1b[31m<b>_now_\n\u202e"
	return allocsResult("example.org/evil|`pkg`\n", evil, &result.Allocs{
		Forks: 3, Windows: 2, Ops: 3000, AllocPart: allocPart(1e12, 1e15),
		Sites: []result.AllocSite{{Func: evil + strings.Repeat("/a.b", 100), File: "../" + evil, Line: -1, Type: evil, Size: 1 << 50,
			Path: []string{evil, strings.Repeat("long", 40)}, AllocPart: allocPart(1e12, -1e15)}},
	})
}
