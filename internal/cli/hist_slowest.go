package cli

import (
	"encoding/json"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/result/histfiles"
	"github.com/tarebench/tare/internal/show/subjects/loadtext"
)

const slowestLong = `tare hist slowest lists the operations of a load run that took longest: when each was
due and sent, how long it took, its key or path, and how it ended. tare load keeps them in
its record; --slowest says how many. A log of histograms has no single operations.

Times count from the start of the run, of the step, or of the first window of the side. The number
of an operation, in JSON and CSV, repeats it: with the seed, what was sent follows from it.`

func newHistSlowest(s streams) *cobra.Command {
	f, format := &histFlags{}, ""
	return verb{
		use:   "slowest [flags] FILE...",
		short: "List the operations that took longest",
		long:  slowestLong,
		example: `  tare hist slowest run.jsonl
  tare hist slowest --format csv run.jsonl`,
		args: needHistFiles,
		run:  func(cmd *cobra.Command, args []string) error { return f.slowest(s, format, args) },
		register: func(fl *pflag.FlagSet) {
			flags.Output(fl, &f.out, "write to `FILE` instead of stdout; its suffix names the format: .txt, .json, .csv")
			flags.Format(fl, &format, "text", "json", "csv")
		},
	}.command()
}

// slowest prints what the files list, also if some of them are damaged.
func (f *histFlags) slowest(s streams, format string, files []string) (err error) {
	if format, err = formatOf("--format", format, f.out, "text", "json", "csv"); err != nil {
		return err
	}
	all, bad := histfiles.Open(histfiles.Config{Files: files, Stdin: s.in}).Slowest()
	if len(all) == 0 {
		return bad
	}
	err = histOutput(s, f.out, files, func(w io.Writer) error { return writeSlowest(w, format, all) })
	if err == nil {
		err = bad
	}
	return err
}

func writeSlowest(w io.Writer, format string, all []histfiles.Slowest) error {
	switch format {
	case "json":
		e := json.NewEncoder(termtext.JSON(w))
		e.SetIndent("", "  ")
		return e.Encode(all)
	case "csv":
		rows := [][]string{loadtext.SlowestHead}
		for i := range all {
			rows = append(rows, loadtext.SlowestRows(all[i].File, all[i].Of, all[i].Operations)...)
		}
		return termtext.WriteCSV(w, rows)
	}
	for i := range all {
		x := &all[i]
		if err := loadtext.SlowestText(w, []string{x.File, x.Of}, x.Operations, x.ClosedLoop, (&outputFlags{color: "auto"}).options(w)); err != nil {
			return err
		}
	}
	return nil
}
