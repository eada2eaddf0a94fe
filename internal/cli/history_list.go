package cli

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/result/history"
	"github.com/tarebench/tare/internal/result/history/trend"
	"github.com/tarebench/tare/internal/show/render"
	"github.com/tarebench/tare/internal/show/table"
)

// listed is an entry as tare history list prints it.
type listed struct {
	Commit     string    `json:"commit"`
	Run        string    `json:"run"`
	Time       time.Time `json:"time"`
	Machine    string    `json:"machine"`
	Described  string    `json:"machine_is,omitempty"`
	Toolchain  string    `json:"toolchain"`
	Dirty      bool      `json:"dirty,omitempty"`
	Benchmarks int       `json:"benchmarks"`
	Forks      int       `json:"forks"` // of the benchmark that has most
	Gaps       []string  `json:"gaps,omitempty"`
}

func newHistoryList(s streams) *cobra.Command {
	f, format := &storeFlags{}, ""
	return f.verb(s, verb{
		use:     "list [flags]",
		short:   "List the entries of the history",
		long:    "tare history list prints a line for each entry: what one run measured of one commit. The\nnewest comes last.",
		example: "  tare history list\n  tare history list --format csv --store ../bench-history",
		args:    noArguments,
		register: func(fl *pflag.FlagSet) {
			f.register(fl, false)
			flags.Format(fl, &format, string(render.Text), string(render.JSON), string(render.CSV))
		},
		run: func(cmd *cobra.Command, _ []string) error {
			form, err := formatOf("--format", cmp.Or(format, string(render.Text)), "", string(render.Text), string(render.JSON), string(render.CSV))
			if err != nil {
				return err
			}
			all, err := f.list(orBackground(cmd.Context()), s)
			if err != nil {
				return err
			}
			return writeListed(s.out, form, all)
		},
	})
}

// list reads the entries, sorted by the time of their runs.
func (f *storeFlags) list(ctx context.Context, s streams) ([]listed, error) {
	store, err := f.open(ctx)
	if err != nil {
		return nil, err
	}
	var all []listed
	err = readHistory(ctx, s, store, nil, func(file history.File, e *history.Entry) {
		x := listed{Commit: e.Commit, Run: file.Run, Time: e.Time, Machine: e.Machine, Described: e.Described, Toolchain: e.Toolchain, Dirty: e.Dirty}
		for i := range e.Series {
			if e.Series[i].Main {
				x.Benchmarks++
				x.Forks = max(x.Forks, len(e.Series[i].Values))
			}
		}
		for _, g := range e.Gaps {
			x.Gaps = append(x.Gaps, g.Why)
		}
		all = append(all, x)
	})
	slices.SortFunc(all, func(a, b listed) int {
		return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.Commit, b.Commit))
	})
	return all, err
}

func writeListed(w io.Writer, format string, all []listed) error {
	var rows [][]string
	for _, x := range all {
		gap := ""
		if len(x.Gaps) > 0 {
			gap = x.Gaps[0]
		}
		rows = append(rows, []string{x.Commit, x.Time.UTC().Format("2006-01-02 15:04"), x.Machine, x.Toolchain, strconv.Itoa(x.Benchmarks), strconv.Itoa(x.Forks), strconv.FormatBool(x.Dirty), gap})
	}
	switch render.Format(format) {
	case render.JSON:
		return termtext.NewJSON(w, "  ").Encode(map[string]any{"entries": all})
	case render.CSV:
		return termtext.WriteCSV(w, slices.Insert(rows, 0, []string{"commit", "time", "machine", "toolchain", "benchmarks", "forks", "dirty", "gap"}))
	}
	return writeListedText(w, rows)
}

func writeListedText(w io.Writer, rows [][]string) error {
	p := newPage(w)
	tb := &table.Table{Columns: []table.Column{{Title: "commit"}, {Title: "measured"}, {Title: "machine", Drop: 2}, {Title: "toolchain", Drop: 1}, {Title: "benchmarks", Kind: table.Right}, {Title: "forks", Kind: table.Right}, {Title: "gap", Drop: 3, Max: 40}}}
	for _, r := range rows {
		commit := trend.Short(r[0])
		if r[6] == "true" {
			commit += " dirty"
		}
		tb.Row(commit, r[1], p.Name(r[2]), p.Name(r[3]), r[4], r[5], p.Line(r[7]))
	}
	p.Table(tb.Fit(p.Charset, p.Columns, 12))
	p.Para(termtext.Dim, "%s", entriesOf(len(rows))+" of "+units.Plural(commitsIn(rows), "commit"))
	_, err := p.WriteTo(w)
	return err
}

func commitsIn(rows [][]string) int {
	seen := map[string]bool{}
	for _, r := range rows {
		seen[r[0]] = true
	}
	return len(seen)
}
