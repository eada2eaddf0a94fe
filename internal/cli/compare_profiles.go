package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/render"
)

// shown returns how much of profiles a comparison shows.
func (f *compareFlags) shown() (render.StackOptions, error) {
	p := problems{}
	out := render.StackOptions{Selection: f.stacks.selection(&p), Confidence: f.confidence}
	if f.output.verbose {
		out.Top = -1
	}
	p.confidence(f.confidence)
	return out, p.Err()
}

// hasSides reports whether a record has more than one side of benchmarks or of profiles.
func hasSides(res *result.Result) bool {
	if len(res.Comparisons)+len(res.Lost) > 0 {
		return true
	}
	return sides(res.Stacks) > 1 || sides(res.Calls) > 1
}

func sides[T any](list []result.Profiled[T]) int {
	seen := map[string]bool{}
	for i := range list {
		seen[list[i].Side] = true
	}
	return len(seen)
}

// write returns what writes a comparison: of benchmarks, and below it, as text, of profiles; or of profiles alone.
func (f *compareFlags) write(res *result.Result, profiles []*render.View) session.Render {
	benchmarks := f.output.result(res)
	return func(w io.Writer, format string) error {
		is := render.Format(format)
		if len(res.Comparisons)+len(res.Lost) > 0 {
			err := benchmarks(w, format)
			if err != nil || len(profiles) == 0 || is != render.Text && is != render.Markdown {
				return err
			}
			fmt.Fprintln(w)
		}
		return writeDifferences(w, is, profiles, f.output.options(w))
	}
}

// writeDifferences writes differences of profiles.
func writeDifferences(w io.Writer, f render.Format, profiles []*render.View, o render.Options) error {
	err := render.WriteDifferences(w, f, profiles, o)
	if none := (*render.FormatError)(nil); errors.As(err, &none) {
		return failed(none, "use "+none.Others())
	}
	if err != nil {
		return failed(err, "")
	}
	return nil
}
