package instructions

import (
	"maps"
	"strings"
	"testing"
)

// TestParseCounts: cachegrind's file, as it has been through its versions, and what is none.
func TestParseCounts(t *testing.T) {
	for _, c := range []struct {
		text string
		want int64
		err  string
	}{
		{"desc: I1 cache: 32768 B\ncmd: ./x.test\nevents: Ir\nfl=???\nfn=main\n0 17\nsummary: 354368276\n", 354368276, ""},
		{"cmd: x\nevents: Ir I1mr ILmr Dr\nsummary: 2,643,945 1 2 3\n", 2643945, ""},
		{"events: Dr Ir\nsummary: 5 6", 6, ""},
		{"events: Ir\nfn=f\n0 1\n", 0, "cut off"},
		{"", 0, "cut off"},
		{"summary: 5\n", 0, "no event Ir"},
		{"events: Ir\n\n7\nsummary:\n", 0, "no event Ir"},
		{"events: Dr Ir\nsummary: 5\n", 0, "no event Ir"},
		{"events: Ir\nsummary: five\n", 0, `"five" is not a count`},
		{"events: Ir\nsummary: -5\n", 0, `"-5" is not a count`},
		{"events: Ir\nsummary: 99999999999999999999\n", 0, "is not a count"},
		{"events: " + strings.Repeat("x", 2<<20), 0, "too long"},
	} {
		got, err := parseCounts(strings.NewReader(c.text))
		if got.total != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%.60q: %d, %v; want %d, %q", c.text, got.total, err, c.want, c.err)
		}
	}
}

// TestParseRows: a row belongs to the last function and file before it; files of inlined code have keys of their own. Rows
// that are given twice add up, and those that are no rows are missing from the sum.
func TestParseRows(t *testing.T) {
	const text = `desc: I1 cache:
cmd: ./x.test -test.run=fn=none
events: Dr Ir
fl=/src/p/sum.go
fn=p.sum
7 1 20
8 2
fi=/src/p/add.go
3 0 5
fl=/src/p/sum.go
fn=p.sum
7 0 2
fn=p.(*T[go.shape.int]).Do.func1
9 4 1,000
fl=???
fn=???
0 0 3
x 1 2
`
	want := map[row]int64{
		{"p.sum", "/src/p/sum.go", 7}: 22, {"p.sum", "/src/p/add.go", 3}: 5,
		{"p.(*T[go.shape.int]).Do.func1", "/src/p/sum.go", 9}: 1000, {"???", "???", 0}: 3,
	}
	for sum, whole := range map[string]bool{"1030": true, "1031": false} {
		c, err := parseCounts(strings.NewReader(text + "summary: 9 " + sum + "\n"))
		if err != nil || !maps.Equal(c.rows, want) || c.whole() != whole {
			t.Errorf("summary %s: %v, whole %v, %v", sum, c.rows, c.whole(), err)
		}
	}
	for _, bad := range []string{"7 2 -5\n", "7 2 x\n", "99999999999 1 5\n", "7\n"} {
		c, err := parseCounts(strings.NewReader("events: Dr Ir\nfn=f\n" + bad + "summary: 2 5\n"))
		if err != nil || c.whole() || len(c.rows) > 0 {
			t.Errorf("%q: %v, whole %v, %v", bad, c.rows, c.whole(), err)
		}
	}
}

func FuzzParseCounts(f *testing.F) {
	f.Add("events: Ir\nsummary: 354368276\n")
	f.Add("events: Dr Ir\nfn=summary: 1\nsummary: 5 6")
	f.Add("events: Ir\nfl=a.go\nfn=f\n1 5\nfi=b.go\n2 6\nsummary: 11\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := parseCounts(strings.NewReader(text))
		if c.total < 0 || err != nil && c.total != 0 {
			t.Errorf("%d, %v", c.total, err)
		}
		for r, n := range c.rows {
			if n < 0 && n > -1<<62 { // more than that is an overflow of rows that are given twice
				t.Errorf("%v: %d", r, n)
			}
		}
	})
}
