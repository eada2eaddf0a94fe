package cli

import (
	"fmt"
	"io"
	"slices"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// printWarnings prints warnings with their advice, but none with a code of except, and none
// twice.
func printWarnings(stderr io.Writer, warnings []result.Warning, except ...string) {
	printed := map[string]bool{}
	for _, w := range warnings {
		if slices.Contains(except, w.Code) || printed[w.Text] {
			continue
		}
		printed[w.Text] = true
		fmt.Fprintf(stderr, "tare: %s\n", exit.Shown(w.Text))
		if w.Advice != "" {
			exit.Message(stderr, "hint", w.Advice)
		}
	}
}

// recorded returns the warnings of a record's lines.
func recorded(lines []*record.Warn) (out []result.Warning) {
	for _, w := range lines {
		out = append(out, result.WarningOf(w))
	}
	return out
}

// warningsOf returns the warnings of a run and of its benchmarks, which begin with their names.
func warningsOf(res *result.Result) []result.Warning {
	out := slices.Clone(res.Warnings)
	for _, r := range res.Results {
		for _, w := range r.Warnings {
			w.Text = r.Name + ": " + w.Text
			out = append(out, w)
		}
	}
	return out
}
