package table

import (
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/termtext"
)

func example() *Table {
	t := &Table{Columns: []Column{
		{}, {Title: "median", Gap: 3, Kind: Figures, Join: " "}, {Title: "interval", Gap: 3, Kind: Right, Join: " … ", Mid: true},
		{Title: "n", Kind: Right, Drop: 1}, {Title: "empty"},
	}}
	t.Blocks = []Block{{Title: "sort", Lines: []Line{
		{Cells: []Cell{{Text: "  Ints/size=1000"}, {Text: "6.82", Tail: "µs/op"}, {Text: "6.71", Tail: "6.98"}, {Text: "20"}}},
		{Cells: []Cell{{Text: "  日本語/size=1000"}, {Text: "302", Tail: "ns/op"}, {Text: "need more", Free: true}, {Text: "3"}}},
		{Cells: []Cell{{Text: "  Bad"}}, Rest: "failed: out of memory"},
		{Wide: "from main.main", Indent: 4},
	}}}
	return t
}

func TestFit(t *testing.T) {
	utf, ascii := termtext.Charset{UTF8: true}, termtext.Charset{}
	for _, c := range []struct {
		cs           termtext.Charset
		width, least int
		want, gone   string
	}{
		{utf, 100, 8, `
                           median    interval     n
sort
  Ints/size=1000       6.82 µs/op   6.71 … 6.98  20
  日本語/size=1000   302    ns/op   need more     3
  Bad                failed: out of memory
    from main.main
`, ""},
		{utf, 46, 8, `
                      median    interval     n
sort
  Ints…e=1000     6.82 µs/op   6.71 … 6.98  20
  日本…e=1000   302    ns/op   need more     3
  Bad           failed: out of memory
    from main.main
`, ""},
		{utf, 46, 16, `
                          median    interval
sort
  Ints/size=1000      6.82 µs/op   6.71 … 6.98
  日本語…ize=1000   302    ns/op   need more
  Bad               failed: out of memory
    from main.main
`, "n"},
		{ascii, 100, 8, `
                                       median     interval     n
sort
  Ints/size=1000                   6.82 us/op   6.71 .. 6.98  20
  \u65e5\u672c\u8a9e/size=1000   302    ns/op   need more      3
  Bad                            failed: out of memory
    from main.main
`, ""},
	} {
		tb := example()
		for i := range tb.Blocks[0].Lines {
			if cells := tb.Blocks[0].Lines[i].Cells; len(cells) > 0 {
				cells[0].Text = c.cs.Name(cells[0].Text)
			}
		}
		f := tb.Fit(c.cs, c.width, c.least)
		if got := "\n" + strings.Join(f.Lines(false), "\n") + "\n"; got != c.want {
			t.Errorf("%d columns:%swant:%s", c.width, got, c.want)
		}
		if got := strings.Join(f.Gone(), ","); got != c.gone {
			t.Errorf("gone: %q, want %q", got, c.gone)
		}
	}
}

// TestFirst: the first way that fits is taken, and the last if none does.
func TestFirst(t *testing.T) {
	way := func(i int) (*Table, int) {
		tb := &Table{Columns: []Column{{}}}
		tb.Row([]string{"long long", "short", "no"}[i])
		return tb, 0
	}
	for width, want := range map[int]string{9: "long long", 5: "short", 1: "no"} {
		if got := First(termtext.Charset{}, width, 3, way).Lines(false); len(got) != 1 || got[0] != want {
			t.Errorf("%d: %q", width, got)
		}
	}
}
