package browser

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestAgents: the table of load generators sorts by the exact values behind its figures, and draws the one that was lost by a sign.
func TestAgents(t *testing.T) {
	file := filepath.Join("..", "..", "internal", "result", "testdata", "load-agents-lost.jsonl")
	x := openPage(t, pageOf(t, "report", file), "", 1280)
	const rows = `[...[...document.querySelectorAll("h2, h3")].find((h) => h.textContent.startsWith("Agents")).parentNode.querySelectorAll("tbody tr")]`
	names := rows + `.map((r) => r.cells[0].textContent)`
	if got := eval[[]string](x, names); !slices.Equal(got, []string{"load-1", "load-2", "local-1"}) {
		t.Fatalf("%q", got)
	}
	if got := eval[[]string](x, rows+`.map((r) => r.cells[11].className.trim() + ":" + r.cells[11].textContent.trim())`); !slices.Equal(got, []string{":done", "bad:▲ lost at 4.3 s", ":done"}) {
		t.Errorf("%q", got)
	}
	eval[any](x, `[...document.querySelectorAll("th")].find((h) => h.textContent.startsWith("clock")).querySelector("button").click(); 0`)
	if got := eval[[]string](x, names); !slices.Equal(got, []string{"local-1", "load-1", "load-2"}) && !slices.Equal(got, []string{"load-2", "load-1", "local-1"}) {
		t.Errorf("by clock: %q", got)
	}
}
