package render

import (
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/show/webpage"
)

// TestAgentsPage: a page has the agents as a table that sorts by exact values. It marks a lost agent differently from one
// whose machine is at fault.
func TestAgentsPage(t *testing.T) {
	for _, c := range []struct {
		name  string
		row   int
		kind  webpage.Kind
		texts string
		fact  string
	}{
		{"agents", 1, webpage.Plain, "load-2|load-2.example.org|50 %|300|300|2.03 ms|3.04 ms|3.06 ms|88.8 µs|0.12/4|± 85 µs|done", "clocks known to ± 85 µs · all started within 70 µs · every interval of every agent arrived"},
		{"agents-lost", 1, webpage.Bad, "load-2|load-2.example.org|50 %|300|120|2.03 ms|3.04 ms|3.06 ms|88.8 µs|0.12/4|± 85 µs|lost at 4.3 s", "6 of 10 intervals without some agent"},
		{"agents-noisy", 0, webpage.Distrusted, "load-1|load-1|25 %|150|150|25.9 ms|37.5 ms|37.5 ms|17.9 ms|3.7/4|± 70 ms|done, see its machine", "2 intervals never came"},
	} {
		x, err := htmlLoad(loadSummary(t, c.name))
		if err != nil {
			t.Fatal(err)
		}
		if x.Blocks[0].Title != "Agents" {
			t.Fatalf("%s: %+v", c.name, x.Blocks)
		}
		row := x.Blocks[0].Table.Groups[0].Rows[c.row]
		var texts []string
		for _, cell := range row.Cells {
			texts = append(texts, cell.Text)
		}
		if got := strings.Join(texts, "|"); got != c.texts || row.Cells[len(row.Cells)-1].Kind != c.kind {
			t.Errorf("%s: %s, drawn as %q\nwant %s, %q", c.name, got, row.Cells[len(row.Cells)-1].Kind, c.texts, c.kind)
		}
		if n, titles := len(row.Cells), len(x.Blocks[0].Table.Columns); n != titles {
			t.Errorf("%s: %d cells below %d titles", c.name, n, titles)
		}
		if c.name == "agents" && (row.Cells[2].Value != "0.5" || row.Cells[5].Value != "2030591" && !strings.HasPrefix(row.Cells[5].Value, "2.0") || row.Cells[10].Value != "85000") {
			t.Errorf("%+v", row.Cells)
		}
		found := false
		for _, f := range x.Facts {
			found = found || f.Name == "agents" && strings.Contains(f.Value, c.fact)
		}
		if !found {
			t.Errorf("%s: no fact %q in %+v", c.name, c.fact, x.Facts)
		}
	}
}

// TestOneGenerator: a run of one load generator has no word of agents.
func TestOneGenerator(t *testing.T) {
	s := loadSummary(t, "steady")
	for _, f := range []Format{Text, Markdown, JSON} {
		var b strings.Builder
		if err := Write(&b, f, s, Options{UTF8: true, Verbose: true}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), "agent") {
			t.Errorf("%s:\n%s", f, b.String())
		}
	}
}
