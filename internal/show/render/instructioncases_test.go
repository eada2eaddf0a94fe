package render

import (
	"strings"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/attached"
	"github.com/tarebench/tare/record"
)

func instructionCases() []testCase {
	narrow := look{"60.txt", Text, Options{UTF8: true, Width: 60}}
	return []testCase{
		{"instructions", newSummary(countedResult("", encodeCounts(0))), []look{
			text100(), ascii(), narrow, verbose(), asMarkdown(), {"json", JSON, Options{}}, {"callgrind", Callgrind, Options{}},
		}},
		{"instructions-sides", sidesOfInstructions(), []look{text100(), narrow, verbose(), asMarkdown(), {"json", JSON, Options{}}}},
		{"instructions-hostile", newSummary(countedResult("", hostileCounts())), []look{text100(), ascii(), narrow, verbose(), {"verbose.md", Markdown, Options{Verbose: true}}, {"callgrind", Callgrind, Options{}}}},
	}
}

func countedResult(side string, forks []*record.Instructions) result.Benchmark {
	r := benchRow("example.org/m/json", "Encode", interval(100, 98, 103), around(20, 100, 97, 105))
	r.Side, r.Instructions = side, attached.AddInstructions(forks)
	return r
}

// encodeCounts returns two forks. more is what a line takes more, which is 9 lines further down then.
func encodeCounts(more int64) (out []*record.Instructions) {
	down := 0
	if more != 0 {
		down = 9
	}
	for fork := range int64(2) {
		line := func(file, number int, n int64) record.InstructionLine {
			return record.InstructionLine{File: file, Line: number, Count: n * 100}
		}
		x := &record.Instructions{
			Ops: 100, Files: []string{"/home/u/m/json/encode.go", "/usr/local/go/src/strconv/itoa.go", "/usr/local/go/src/runtime/malloc.go"},
			Functions: []record.InstructionFunction{
				{Name: "example.org/m/json.(*encoder).object", Part: record.PartOwn, Lines: []record.InstructionLine{
					line(0, 31+down, 8000+more), line(0, 34+down, 5200), line(0, 30+down, 1200), line(0, 36+down, 12),
				}, Rest: 300},
				{Name: "strconv.FormatInt", Part: record.PartOwn, Lines: []record.InstructionLine{line(1, 30, 2500)}},
				{Name: "runtime.mallocgc", Part: record.PartAllocation, Lines: []record.InstructionLine{line(2, 1012, 1900+30*fork)}},
				{Name: "runtime.gcDrain", Part: record.PartGC, Rest: 21_400 + 9300*fork},
			},
			Rest: []record.InstructionRest{{Part: record.PartOwn, Functions: 7, Count: 1250}, {Part: record.PartScheduler, Functions: 40, Count: 7000 - 11_000*fork}},
		}
		for i := range x.Functions {
			f := &x.Functions[i]
			f.Count = f.Rest
			for _, l := range f.Lines {
				f.Count += l.Count
			}
			x.Total += f.Count
		}
		for _, r := range x.Rest {
			x.Total += r.Count
		}
		out = append(out, x)
	}
	return out
}

func sidesOfInstructions() *result.Result {
	before, after := countedResult("old", encodeCounts(0)), countedResult("new", encodeCounts(640))
	s := comparing(against("Encode", "valgrind-instructions/op", 19_162, 19_802, 1.031, 1.036, "more"))
	s.Results = []result.Benchmark{before, after}
	s.Counted = []result.CountedInstructions{{
		Pkg: "example.org/m/json", Name: "Encode", Base: "old", Side: "new", OldForks: 2, NewForks: 2,
		InstructionChanges: *attached.CompareInstructions(before.Instructions, after.Instructions),
	}, {
		Pkg: "example.org/m/json", Name: "Same", Base: "old", Side: "new", OldForks: 2, NewForks: 2,
		InstructionChanges: *attached.CompareInstructions(before.Instructions, before.Instructions),
	}}
	return s
}

func hostileCounts() []*record.Instructions {
	evil := "evil|`x`\x1b[31m<b>_now_\n\u202e"
	const n = 1 << 49
	return []*record.Instructions{{
		Ops: 1, Total: n + 5, Files: []string{"../" + evil, ""},
		Functions: []record.InstructionFunction{
			{Name: evil + strings.Repeat("/a.b", 100), Part: record.PartOwn, Count: n, Lines: []record.InstructionLine{{File: 0, Line: 1 << 30, Count: n + 7}, {File: 1, Line: 0, Count: -7}}},
			{Name: "", Part: evil, Count: 10, Rest: 10},
		},
		Rest: []record.InstructionRest{{Part: evil, Count: -5}},
	}}
}
