package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/session"
)

const histLong = `tare hist reads latency histograms: logs of HdrHistogram (.hlog), as tare load, YCSB,
latte and many Java programs write them, and tare's own records (.jsonl). A FILE of
- is standard input.

A log holds intervals: all values of a second, say, under a tag such as
READ.response. Counts are merged, never percentiles, so what is printed of a range
or of several intervals is what one histogram over all of it would have said. Of a
record, the measured phase counts, and the tag is the operation and the kind of its
latency; of benchmarks it is their name.

Lines that cannot be read are left out, counted and told.`

func newHist(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hist",
		Short: "Read latency histograms: percentiles, cut, merge, convert, plot",
		Long:  histLong,
		Example: `  tare hist percentiles run.hlog
  tare hist cut --from 10s --to 70s -o steady.hlog run.hlog
  tare hist plot -o latency.svg before.hlog after.hlog`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			hint := "tare hist --help"
			if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
				hint = "did you mean: tare hist " + near[0]
			} else if _, err := os.Stat(args[0]); err == nil {
				hint = "tare hist percentiles " + strings.Join(args, " ")
			}
			return usageError(fmt.Errorf("hist has no verb %q", args[0]), hint)
		},
	}
	cmd.SuggestionsMinimumDistance = 2
	cmd.AddCommand(newHistPercentiles(s), newHistCut(s), newHistMerge(s), newHistConvert(s), newHistPlot(s))
	return cmd
}

// needHistFiles is for verbs that have nothing to do without a file.
func needHistFiles(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		if n := slices.Index(args, "-"); n >= 0 && slices.Contains(args[n+1:], "-") {
			return usageError(errors.New("standard input can be read only once"), "")
		}
		return nil
	}
	return usageError(fmt.Errorf("%s needs a log, or - for standard input", strings.TrimPrefix(cmd.CommandPath(), "tare ")), cmd.CommandPath()+" FILE.hlog")
}

// histOutput writes a result to where -o says, or to stdout. Nothing is replaced
// unless all of the result could be written, and never what it was made of.
func histOutput(s streams, out string, inputs []string, write func(io.Writer) error) error {
	if out == "" || out == "-" {
		return write(s.out)
	}
	if err := notInput(out, inputs); err != nil {
		return err
	}
	if err := session.CheckWritable(out); err != nil {
		return err
	}
	err := session.ReplaceFile(out, func(f *os.File) error { return write(f) })
	if f := (*exit.Error)(nil); err == nil || errors.As(err, &f) {
		return err
	}
	return failed(fmt.Errorf("-o: %w", err), "")
}

// notInput refuses an output that is one of the inputs.
func notInput(out string, inputs []string) error {
	there, err := os.Stat(out)
	if err != nil {
		return nil // there is none
	}
	for _, in := range inputs {
		if st, err := os.Stat(in); err == nil && os.SameFile(st, there) {
			return usageError(fmt.Errorf("-o %s: is what is to be read", out), "name another file")
		}
	}
	return nil
}

// formatOfSuffix is the format that the output's suffix names, of those there are.
func formatOfSuffix(out string, formats []string) string {
	suffix := strings.TrimPrefix(filepath.Ext(out), ".")
	if suffix == "txt" {
		suffix = "text"
	}
	if slices.Contains(formats, suffix) {
		return suffix
	}
	return ""
}

// histFormat chooses the format: what a flag says, else what the suffix of -o
// names, else the first.
func histFormat(flag, asked, out string, formats []string) (string, error) {
	known := strings.Join(formats, ", ")
	switch {
	case asked != "" && !slices.Contains(formats, asked):
		return "", usageError(fmt.Errorf("%s %q is none of %s", flag, asked, known), "")
	case asked != "":
		return asked, nil
	case out == "" || out == "-":
		return formats[0], nil
	}
	if f := formatOfSuffix(out, formats); f != "" {
		return f, nil
	}
	return "", usageError(fmt.Errorf("-o %s: no format is known by its suffix", out), fmt.Sprintf("give %s: %s", flag, known))
}
