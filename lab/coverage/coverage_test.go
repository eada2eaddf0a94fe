package main

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

const document = "../../docs/method.md"

// TestDocument holds the table in the document against what this program prints
// for the command that stands above it: all but the figures, which take minutes.
func TestDocument(t *testing.T) {
	block := strings.Split(strings.Trim(documented(t), "\n"), "\n")
	args, ok := strings.CutPrefix(strings.Trim(block[0], "`"), "go -C lab run ./coverage ")
	if !ok {
		t.Fatalf("the block begins with %q, not with the command", block[0])
	}
	quoted, err := parse(strings.Fields(args))
	if err != nil {
		t.Fatal(err)
	}
	if block[0] != "`"+quoted.command()+"`" {
		t.Errorf("the command is quoted as %s, the program prints %s", block[0], quoted.command())
	}
	few := config{runs: 1, resamples: 1, seed: quoted.seed}
	want := tableOf(strings.Split(render(few, simulate(few)), "\n"))
	got := tableOf(block)
	if len(got) != len(want) {
		t.Fatalf("the table has %d lines, the program prints %d", len(got), len(want))
	}
	for i := range got {
		label := 3 // name, forks and stated coverage do not depend on the draws
		if i < 2 {
			label = len(want[i]) // header and rule
		}
		if len(got[i]) != len(want[i]) || !slices.Equal(got[i][:label], want[i][:label]) {
			t.Errorf("line %d of the table is %q, the program prints %q", i+1, got[i], want[i])
		}
	}
}

// TestShortfallsNamed makes sure that rows with a mark are those listed below
// the table.
func TestShortfallsNamed(t *testing.T) {
	block := strings.Split(documented(t), "\n")
	var marked, listed []string
	for _, cells := range tableOf(block)[2:] {
		if strings.ContainsAny(strings.Join(cells, ""), "▼▲") {
			marked = append(marked, cells[0]+", n = "+cells[1])
		}
	}
	for _, l := range block {
		if name, ok := strings.CutPrefix(l, "* "); ok {
			i := strings.LastIndex(name, ":")
			listed = append(listed, name[:i])
		}
	}
	if !slices.Equal(marked, listed) {
		t.Errorf("marked in the table: %q\nlisted below it: %q", marked, listed)
	}
}

// TestSmoke runs all of it, hardly more than once.
func TestSmoke(t *testing.T) {
	c := config{runs: 2, resamples: 20, seed: 7}
	text := render(c, simulate(c))
	if again := render(c, simulate(c)); again != text {
		t.Error("the same seed gives another table")
	}
	if n := len(tableOf(strings.Split(text, "\n"))); n != 2+len(scenarios)*len(sizes) {
		t.Errorf("the table has %d lines", n)
	}
	if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
		t.Errorf("not a number in\n%s", text)
	}
}

// TestTargets makes sure that the true values are true: half of all pairs lie
// below the one, and half of the new values below the other times the old median.
func TestTargets(t *testing.T) {
	const n = 40_000
	for i, s := range scenarios {
		if s.pairs == 0 {
			continue
		}
		r := rand.New(rand.NewPCG(uint64(i), 3))
		pairs, medians := 0, 0
		for range n {
			old, new := s.old(r), s.new(r)
			if new/old <= s.pairs {
				pairs++
			}
			if new <= s.medians { // the old side's median is 1
				medians++
			}
		}
		for _, x := range []int{pairs, medians} {
			if se := math.Sqrt(0.25 / n); math.Abs(float64(x)/n-0.5) > 4.5*se {
				t.Errorf("%s: %d of %d below the true value (pairs %g, medians %g)", s.name, x, n, s.pairs, s.medians)
			}
		}
	}
}

func TestFourDigits(t *testing.T) {
	for _, c := range []struct{ x, want float64 }{{123.456, 123.5}, {999.96, 1000}, {1049.6, 1050}, {100.04, 100}, {555.56, 555.6}} {
		if got := fourDigits(c.x); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("fourDigits(%v) = %v, want %v", c.x, got, c.want)
		}
	}
}

func TestParse(t *testing.T) {
	c, err := parse(nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := parse(strings.Fields(c.command())[5:])
	if err != nil || again != c {
		t.Errorf("the command of %+v is read as %+v, %v", c, again, err)
	}
	for _, bad := range []string{"-runs 0", "-resamples -1", "more", "-seed x"} {
		if _, err := parse(strings.Fields(bad)); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}

// documented is what stands between the markers.
func documented(t *testing.T) string {
	_, rest, begun := strings.Cut(text(t), "<!-- coverage: begin -->")
	block, _, ended := strings.Cut(rest, "<!-- coverage: end -->")
	if !begun || !ended {
		t.Fatalf("%s has no block between <!-- coverage: begin --> and <!-- coverage: end -->", document)
	}
	return block
}

func text(t *testing.T) string {
	b, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// tableOf are the cells of the lines that belong to a table.
func tableOf(lines []string) (out [][]string) {
	for _, l := range lines {
		if strings.HasPrefix(l, "| ") {
			out = append(out, strings.Split(strings.Trim(l, "| "), " | "))
		}
	}
	return out
}
