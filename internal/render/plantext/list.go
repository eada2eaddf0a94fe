package plantext

import (
	"fmt"
	"io"

	"github.com/tarebench/tare/internal/redact"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/record"
)

// List writes the names of benchmarks, each once whatever its sides and GOMAXPROCS, as a line of package and name; and
// behind them those that failed, with why.
func List(w io.Writer, cases []*record.Case, lost []string) error {
	said := map[string]bool{}
	for _, c := range cases {
		line := c.Pkg + " " + c.Name
		if said[line] {
			continue
		}
		said[line] = true
		if _, err := fmt.Fprintln(w, termtext.Visible(redact.Addresses(line))); err != nil {
			return err
		}
	}
	for _, l := range lost {
		if _, err := fmt.Fprintln(w, termtext.Visible(redact.Addresses(termtext.OneLine(l)))); err != nil {
			return err
		}
	}
	return nil
}
