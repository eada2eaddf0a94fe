package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/shellwords"
	"github.com/tarebench/tare/internal/measure/hunks"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/measure/whyrun"
	"github.com/tarebench/tare/internal/process/fork"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/why"
	"github.com/tarebench/tare/internal/show/render"
	"github.com/tarebench/tare/internal/show/subjects/whytext"
)

// readSides reads a record of two sides.
func readSides(s streams, path string) (*result.Result, error) {
	b, err := readSide(s.in, path)
	if err != nil {
		return nil, err
	}
	res := b.Result()
	if res.IsLoad() || !hasSides(res) {
		return nil, usageError(fmt.Errorf("%s has not two sides of benchmarks", path), "tare bench --against REV --prof "+strings.Join(whyrun.Profilers, ",")+" -o FILE.jsonl")
	}
	b.Judge(result.Judgement{})
	return b.Result(), nil
}

// checkRead fails if a record from standard input is needed again when it has been read.
func (f *whyFlags) checkRead(format render.Format, path string) error {
	isPage := func(x session.File) bool { return x.Format == string(render.HTML) }
	if path == "-" && (format == render.HTML || slices.ContainsFunc(f.output.Files, isPage)) {
		return usageError(errors.New("a page has the record inside, which can be read from standard input only once"), "tare report --format html -")
	}
	return f.output.CheckCopy(string(format), []string{path})
}

// explain divides the difference of each row among causes, and finds the parts of the change that they are about.
// layouts may be nil.
func (f *whyFlags) explain(res, layouts *result.Result) (out []whytext.Row) {
	least := why.LeastShare
	if f.output.verbose {
		least = 0
	}
	for _, c := range f.choice.Rows(res) {
		r := whytext.Of(res, c, least, layouts)
		r.Hunks, r.Changed = hunks.OfCauses(context.Background(), res.Run, r.Base, r.Side, r.Pkg, r.Answer.Causes)
		r.Next = f.next(c, r.Answer)
		out = append(out, r)
	}
	return out
}

// next returns the command that shows the machine code of what explains most.
func (f *whyFlags) next(c *result.Comparison, a why.Answer) string {
	const explained = 0.2          // not more is left
	sides, _ := f.job.Sides.List() // checked with the other flags
	if len(sides) == 0 || len(a.Causes) == 0 || a.Causes[0].Func == "" || a.Rest.Value <= explained && !a.Causes[0].Where {
		return ""
	}
	return shellwords.Join(slices.Concat([]string{"tare", "bench"}, job.Typed(f.job.Options(), "side", "side-flags", "side-env", "with", "against", "tags"), []string{"--bench", fork.Pattern(c.Name), "--prof", "asm", c.Pkg}))
}

// write writes the answers as text, Markdown or JSON. A page is written from the record instead.
func (f *whyFlags) write(w io.Writer, format string, rows []whytext.Row) error {
	const none = "no benchmark changed: there is nothing to explain; --all explains all"
	switch render.Format(format) {
	case render.JSON:
		return whytext.JSON(w, rows)
	case render.Markdown:
		return whytext.Markdown(w, rows, none)
	}
	return whytext.Text(w, rows, none, f.output.options(w))
}
