package machinetext

import (
	"fmt"
	"io"

	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/render/page"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/machines"
	"github.com/tarebench/tare/internal/result/runs"
)

// Report writes what each group of runs on several machines says together, judged by j. name is that of their file.
// It reports whether that stands instead of the runs: of text and Markdown that are not verbose. JSON has an object for
// each group before those of the runs; other formats have no place for it. It fails for runs that cannot be combined.
func Report(w io.Writer, f render.Format, name string, all []*runs.Run, j result.Judgement, o page.Options) (instead bool, err error) {
	if f != render.Text && f != render.Markdown && f != render.JSON {
		return false, nil
	}
	for _, group := range machines.Groups(all) {
		for _, r := range group {
			r.Judge(j)
		}
		r, err := machines.Combine(group)
		if err != nil {
			return false, exit.Failed(fmt.Errorf("%s: the runs of several machines are not combined: %w", name, err), "each run is shown by itself")
		}
		if err := Write(w, f, name, r, o); err != nil {
			return false, exit.Failed(err, "")
		}
		if o.Verbose && f != render.JSON {
			fmt.Fprintln(w)
		}
	}
	return f != render.JSON && !o.Verbose, nil
}
