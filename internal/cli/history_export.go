package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/flags"
	"github.com/tarebench/tare/internal/history"
	"github.com/tarebench/tare/internal/historyrun"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/internal/termtext"
)

const historyExportLong = `tare history export writes what the history holds of commits; without any, of all. BENCH
of --bench is matched with names without Benchmark.

  jsonl  records, as tare bench writes them, one after another: tare compare and tare
         report read them. They have one sample for each fork.
  csv    a line for each value`

// historyExportFlags are the flags of tare history export.
type historyExportFlags struct {
	store  storeFlags
	bench  string
	format string
	out    string
}

func newHistoryExport(s streams) *cobra.Command {
	f := &historyExportFlags{}
	return f.store.verb(s, verb{
		use:   "export [flags] [COMMIT...]",
		short: "Write what the history holds, as records or CSV",
		long:  historyExportLong,
		example: `  tare history export --format csv -o history.csv
  tare history export -o old.jsonl 1a2b3c4d && tare history export -o new.jsonl 5e6f7a8b
  tare compare old.jsonl new.jsonl`,
		register: func(fl *pflag.FlagSet) {
			flags.RecordedBench(fl, &f.bench)
			f.store.register(fl, false)
			fl.StringVar(&f.format, "format", "", "jsonl or csv (default: what the suffix of -o names)")
			flags.Offer(fl, "format", "jsonl", "csv")
			flags.Output(fl, &f.out, "write to `FILE` instead of stdout")
		},
		run: func(cmd *cobra.Command, args []string) error { return f.run(orBackground(cmd.Context()), s, args) },
	})
}

func (f *historyExportFlags) run(ctx context.Context, s streams, commits []string) error {
	format, err := formatOf("--format", f.format, f.out, "jsonl", "csv")
	if err != nil {
		return err
	}
	var patterns []string
	if f.bench != "" {
		patterns = []string{f.bench}
	}
	keep, err := keepNames(patterns)
	if err != nil {
		return err
	}
	store, err := f.store.open(ctx)
	if err != nil {
		return err
	}
	var all []*history.Entry
	err = readHistory(ctx, s, store, keep, func(_ history.File, e *history.Entry) {
		if fitsCommit(e, commits) && len(e.Series) > 0 {
			all = append(all, e)
		}
	})
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return failed(fmt.Errorf("%s has no results of that", nameOfStore(store)), "tare history list prints all entries")
	}
	slices.SortFunc(all, func(a, b *history.Entry) int { return a.Time.Compare(b.Time) })
	return session.WriteOutput(f.out, s.out, func(w io.Writer) error {
		if format == "csv" {
			return termtext.WriteCSV(w, historyrun.ExportRows(all))
		}
		var b bytes.Buffer
		for _, e := range all {
			if err := historyrun.ExportRecord(&b, e); err != nil {
				return err
			}
		}
		_, err := b.WriteTo(termtext.JSON(w))
		return err
	})
}
