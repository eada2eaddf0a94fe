package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/report"
	"github.com/tarebench/tare/summary"
)

func newReport(s streams) *cobra.Command {
	f := &showFlags{}
	cmd := &cobra.Command{
		Use:   "report [flags] FILE...",
		Short: "Print record files again, in any format",
		Long: `tare report reads record files, whole or cut off, and prints what they say.
A FILE of - is standard input.`,
		Example: `  tare report new.jsonl
  tare report --format md new.jsonl
  tare report -o new.csv new.jsonl
  tare bench --format jsonl sort | tare report -v -`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(errors.New("report needs a record file, or - for standard input"), "tare report FILE")
			}
			return runReport(s, f, args)
		},
	}
	f.register(cmd.Flags(), false)
	return cmd
}

// runReport prints each file. A damaged file is printed as far as it can be
// read, and then complained about.
func runReport(s streams, f *showFlags, files []string) error {
	format, err := f.check()
	if err != nil {
		return err
	}
	if f.out == "" || f.out == "-" {
		return printFiles(s, s.out, f, format, files)
	}
	if f.format == "" {
		known := false
		if format, known = report.FormatOfPath(f.out); !known {
			return usage(fmt.Errorf("-o %s: no format is known by its suffix", f.out), "use .txt, .json, .jsonl, .md or .csv, or give --format")
		}
	}
	if err := writable(f.out); err != nil {
		return err
	}
	var bad error
	err = replaceFile(f.out, func(w *os.File) error {
		bad = printFiles(s, w, f, format, files)
		return nil
	})
	if err != nil {
		return failed(fmt.Errorf("-o: %w", err), "")
	}
	return bad
}

func printFiles(s streams, w io.Writer, f *showFlags, format report.Format, files []string) error {
	var bad error
	for i, path := range files {
		if i > 0 && (format == report.Text || format == report.Markdown) {
			fmt.Fprintln(w)
		}
		if err := printFile(s, w, f, format, path); err != nil {
			complain(s.err, nil, err)
			bad = told(exitFailed)
		}
	}
	return bad
}

func printFile(s streams, w io.Writer, f *showFlags, format report.Format, path string) error {
	r := s.in
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return usage(err, "")
		}
		defer file.Close()
		r = file
	} else {
		path = "standard input"
	}
	if format == report.JSONL {
		_, err := io.Copy(w, r)
		return err
	}
	sum, err := summary.Read(r, path)
	if sum.Run == nil && err != nil {
		return recordError(err)
	}
	if e := f.show(w, format, sum, path); e != nil {
		return failed(e, "")
	}
	if err != nil {
		return recordError(err)
	}
	if sum.End == nil {
		return failed(fmt.Errorf("%s: the run was cut off: its record has no end", path), "go on with it: tare bench --resume "+path)
	}
	return nil
}

// recordError gives a hint for what is wrong with a record file.
func recordError(err error) error {
	hint := ""
	if v := (*record.VersionError)(nil); errors.As(err, &v) {
		hint = "go install github.com/tarebench/tare/cmd/tare@latest"
	}
	if n := (*record.NotRecordError)(nil); errors.As(err, &n) {
		hint = "records are written by tare bench -o FILE.jsonl"
	}
	if t := (*record.TruncatedError)(nil); errors.As(err, &t) {
		hint = "the lines before it are whole; go on with the run: tare bench --resume FILE"
	}
	return failed(err, hint)
}
