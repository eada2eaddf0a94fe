package render

import (
	"strings"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

func heapCases() []testCase {
	narrow := look{"60.txt", Text, Options{UTF8: true, Width: 60}}
	wide := look{"160.txt", Text, Options{UTF8: true, Width: 160}}
	return []testCase{
		{"heap", newSummary(heapPointers(), heapTypes(), heapUntyped(), heapSmall()), []look{
			text100(), ascii(), narrow, wide, verbose(), asMarkdown(), {"verbose.md", Markdown, Options{Verbose: true}}, {"json", JSON, Options{}},
		}},
		{"heap-sides", newSummary(sidesOfHeap()...), []look{text100(), asMarkdown()}},
		{"heap-hostile", newSummary(heapHostile()), []look{text100(), ascii(), narrow, verbose(), {"verbose.md", Markdown, Options{Verbose: true}}}},
	}
}

func heapResult(pkg, name string, h *result.Heap) result.Benchmark {
	r := benchRow(pkg, name, interval(100, 98, 103), around(20, 100, 97, 105))
	r.Heap = h
	return r
}

// part makes shares of a heap of total bytes.
func part(bytes, objects, total int64) result.HeapPart {
	return result.HeapPart{Bytes: bytes, Objects: objects, Share: result.Number(float64(bytes) / float64(total))}
}

func heapPointers() result.Benchmark {
	const total = 71_938_392
	return heapResult("example.org/m/subjects", "Pointers", &result.Heap{
		Forks: 3, When: record.HeapInLoop, Rate: 512, Growth: 72_010_992, Bytes: total, Objects: 998_908, Missed: 0.00101,
		Sites: []result.HeapSite{
			{Func: "example.org/m/subjects.fill", File: "example.org/m/subjects/heap_test.go", Line: 20, Type: "subjects.block",
				Path: []string{"example.org/m/subjects.BenchmarkPointers"}, HeapPart: part(63_928_051, 998_876, total), Lo: 63_700_000, Hi: 64_010_000, SD: 175_294},
			{Func: "example.org/m/subjects.BenchmarkPointers", File: "example.org/m/subjects/heap_test.go", Line: 26, Type: "[]*subjects.block",
				HeapPart: part(8_003_584, 1, total), Lo: 8_003_584, Hi: 8_003_584},
			{Func: "testing.(*B).Run", File: "testing/benchmark.go", Line: 824, Type: "testing.B", HeapPart: part(3242, 25, total)},
		},
		Rest: part(3515, 6, total),
		Types: []result.HeapType{
			{Type: "subjects.block", HeapPart: part(63_928_051, 998_876, total)}, {Type: "[]*subjects.block", HeapPart: part(8_003_584, 1, total)},
			{Type: "testing.B", HeapPart: part(3242, 25, total)},
		},
	})
}

// heapTypes has types that come from several sites, and one that is not known.
func heapTypes() result.Benchmark {
	const total = 10 << 20
	site := func(fn string, line int, typ string, mib float64, path ...string) result.HeapSite {
		return result.HeapSite{Func: "example.org/m/parser." + fn, File: "/home/u/m/parser/parse.go", Line: line, Type: typ, Path: path,
			HeapPart: part(int64(mib*(1<<20)), int64(mib*10_000), total), SD: 20_000}
	}
	return heapResult("example.org/m/bench", "Parse/size=1k", &result.Heap{
		Forks: 2, When: record.HeapMidRun, Rate: 512, Growth: 10_400_000, Bytes: total, Objects: 90_000, Missed: -0.008,
		Sites: []result.HeapSite{
			site("(*Parser[...]).node", 31, "parser.node", 3, "example.org/m/parser.(*Parser[...]).expr", "example.org/m/parser.Parse", "example.org/m/bench.BenchmarkParse"),
			site("(*Parser[...]).leaf", 44, "parser.node", 2, "example.org/m/parser.Parse"),
			site("intern", 12, "map[string]*parser.symbol", 2),
			site("grow", 90, "[]uint8", 1.5),
			site("token", 61, "", 1),
			site("error", 70, "closure", 0.3),
			site("position", 71, "map[struct { file string; line int }]map[string]interface {}", 0.1),
		},
		Rest: part(100<<10, 200, total),
		Types: []result.HeapType{
			{Type: "parser.node", HeapPart: part(5<<20, 50_000, total)}, {Type: "map[string]*parser.symbol", HeapPart: part(2<<20, 20_000, total)},
			{Type: "[]uint8", HeapPart: part(3<<19, 15_000, total)}, {Type: "", HeapPart: part(1<<20, 10_000, total)},
			{Type: "closure", HeapPart: part(300<<10, 3_000, total)},
			{Type: "map[struct { file string; line int }]map[string]interface {}", HeapPart: part(100<<10, 1_000, total)},
		},
	})
}

func heapUntyped() result.Benchmark {
	return heapResult("example.org/m/bench", "Untyped", &result.Heap{
		Forks: 1, When: record.HeapInLoop, Rate: 512, Growth: 40_960, Bytes: 40_960, Objects: 10,
		Sites:   []result.HeapSite{{Func: "runtime.malg", File: "runtime/proc.go", Line: 5274, HeapPart: part(40_960, 10, 40_960), SD: 1000}},
		NoTypes: "machine code cannot be read: only that of amd64 in ELF format",
	})
}

// heapSmall is shown only where all is.
func heapSmall() result.Benchmark {
	return heapResult("example.org/m/bench", "Small", &result.Heap{
		Forks: 3, When: record.HeapInLoop, Rate: 512, Growth: -200, Bytes: 4000, Objects: 12,
		Sites: []result.HeapSite{{Func: "testing.(*B).Run", File: "testing/benchmark.go", Line: 824, Type: "testing.B", HeapPart: part(4000, 12, 4000), SD: 900}},
		Types: []result.HeapType{{Type: "testing.B", HeapPart: part(4000, 12, 4000)}},
	})
}

func sidesOfHeap() []result.Benchmark {
	before, after := heapPointers(), heapPointers()
	before.Side, after.Side = "old", "new"
	return []result.Benchmark{before, after}
}

func heapHostile() result.Benchmark {
	evil := "evil|`x`\x1b[31m<b>_now_\n\u202e"
	return heapResult("example.org/evil|`pkg`\n", evil, &result.Heap{
		Forks: 3, When: evil, Rate: 1, Growth: 1 << 40, Bytes: 1 << 40, Objects: 1 << 40,
		Sites: []result.HeapSite{{Func: evil + strings.Repeat("/a.b", 100), File: "../" + evil, Line: -1, Type: evil, Path: []string{evil, strings.Repeat("long", 40)},
			HeapPart: part(1<<39, 1<<39, 1<<40)}},
		Rest:    part(1<<39, 1<<39, 1<<40),
		Types:   []result.HeapType{{Type: evil, HeapPart: part(1<<39, 1<<39, 1<<40)}},
		NoTypes: evil,
	})
}
