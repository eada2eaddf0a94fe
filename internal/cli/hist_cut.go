package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/hist"
)

const histCutLong = `tare hist cut writes a log of the intervals that start in a range of time, or that
have a tag. The log keeps its start time, so that seconds mean the same in the part
as in the whole, and parts that meet merge to the whole again.`

func newHistCut(s streams) *cobra.Command {
	input, out := &inputFlags{}, ""
	cmd := &cobra.Command{
		Use:   "cut [flags] FILE",
		Short: "Cut a range of time out of a log",
		Long:  histCutLong,
		Example: `  tare hist cut --from 10s --to 70s -o steady.hlog run.hlog
  tare hist cut --from 2026-01-02T03:04:05Z --tag READ.response run.hlog >reads.hlog
  tare hist cut --to 60 run.jsonl | tare hist percentiles -`,
		Args: needHistFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return usageError(fmt.Errorf("cut takes one log, and was given %d", len(args)), "tare hist merge takes several, and --from and --to as well")
			case input.span == rangeFlags{} && len(input.tags) == 0:
				return usageError(errors.New("cut needs --from, --to or --tag"), "tare hist cut --from 10s --to 70s "+args[0])
			}
			in, err := input.open(s, args)
			if err != nil {
				return err
			}
			return histOutput(s, out, args, func(w io.Writer) error { return copyLog(in, w, "cut by tare hist from "+args[0]) })
		},
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	input.register(fl)
	oneOutput(fl, &out, "write to `FILE` instead of stdout")
	return cmd
}

// copyLog writes the intervals that were asked for as a log.
func copyLog(in *input, w io.Writer, comment string) error {
	o := &logOutput{out: w, comment: comment}
	return in.each(func(src *histSource, i hist.Interval) error {
		if o.start == nil {
			o.start = src.start
		}
		return o.write(i)
	})
}
