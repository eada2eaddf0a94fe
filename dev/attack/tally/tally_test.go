package tally_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarebench/tare/dev/attack/tally"
)

// TestRow: an input with two findings is one that did not survive, and each finding counts in its column.
func TestRow(t *testing.T) {
	r := tally.NewRow("readers")
	for range 5 {
		r.Tried(120_000_001)
	}
	r.CountsLost()
	r.Add(tally.Finding{Input: 3, Kind: tally.Lost})
	r.Add(tally.Finding{Input: 1, Kind: tally.Panic})
	r.Add(tally.Finding{Input: 1, Kind: tally.Memory})
	if r.Survived() != 3 {
		t.Errorf("%d survived, want 3", r.Survived())
	}
	if f := r.Findings(); len(f) != 3 || f[0].Input != 1 || f[2].Attack != "readers" {
		t.Errorf("findings are %+v", f)
	}
	var out strings.Builder
	if err := tally.Write(&out, []*tally.Row{r, tally.NewRow("empty")}); err != nil {
		t.Fatal(err)
	}
	if want := "| readers | 5 | 3 | 1 | 0 | 121 MB | 1 | 1 | 0s |"; !strings.Contains(strings.Join(strings.Fields(out.String()), " "), want) {
		t.Errorf("no row %q in\n%s", want, out.String())
	}
	if !strings.Contains(out.String(), "| empty ") || !strings.Contains(out.String(), "| –") {
		t.Errorf("no row without figures in\n%s", out.String())
	}
}

// TestUpdate: rows of the same attacks are replaced, others stay, and so does the page around them.
func TestUpdate(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	write := func(s string) {
		if err := os.WriteFile(page, []byte(s), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	row := func(name, flags string) *tally.Row {
		r := tally.NewRow(name)
		r.Flags = flags
		return r
	}
	write("a\n<!-- attack: begin -->\nold\n<!-- attack: end -->\nb\n")
	for _, rows := range [][]*tally.Row{{row("one", "-seed 1"), row("two", "-seed 1")}, {row("three", "-seed 2"), row("one", "-seed 2")}} {
		if err := tally.Update(page, rows); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(string(got)) {
		if cells := strings.Split(line, "|"); len(cells) > 3 {
			names = append(names, strings.TrimSpace(cells[1])+" "+strings.TrimSpace(cells[len(cells)-2]))
		}
	}
	want := "attack flags, ------ ---------, one `-seed 2`, two `-seed 1`, three `-seed 2`"
	if got := strings.Join(names, ", "); got != want {
		t.Errorf("rows are %s, want %s", got, want)
	}
	if !strings.HasPrefix(string(got), "a\n<!--") || !strings.HasSuffix(string(got), "end -->\nb\n") || strings.Contains(string(got), "old") {
		t.Errorf("page is %s", got)
	}
	write("no marks")
	if err := tally.Update(page, nil); err == nil {
		t.Error("a page without marks was written")
	}
}
