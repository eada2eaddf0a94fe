package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/cli/teamfile"
	"github.com/tarebench/tare/internal/measure/baseline"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/render"
)

// savedFlags are about records that are kept under names: --save NAME, and --against saved:NAME.
type savedFlags struct {
	save    string
	against string // the name of the record that is compared with; "": none
	path    string // its file
	dir     string
}

func (f *savedFlags) register(fl *pflag.FlagSet) {
	fl.StringVar(&f.save, "save", "", "keep the record under this `NAME`, for --against saved:NAME")
	flags.Daily(fl, "save")
}

// takeSaved takes saved:NAME out of the revisions of --against, and finds its record.
func (f *benchFlags) takeSaved() (err error) {
	s := &f.saved
	i := slices.IndexFunc(f.job.Sides.Against, func(rev string) bool { return strings.HasPrefix(rev, baseline.Prefix) })
	if i < 0 && s.save == "" {
		return nil
	}
	if s.dir, err = baseline.Dir(teamfile.ModuleRoot(".")); err != nil {
		return err
	}
	if s.save != "" {
		if err := baseline.CheckName(s.save); err != nil {
			return usageError(fmt.Errorf("--save: %w", err), "")
		}
		if sides, _ := f.job.Sides.List(); i < 0 && len(sides) > 0 {
			return usageError(errors.New("--save keeps the record of one side, and there are several"), "leave out what it is compared with")
		}
		if f.dryRun || f.list {
			return usageError(errors.New("--save: --dry-run and --list write no record"), "")
		}
	}
	if i < 0 {
		return nil
	}
	s.against = strings.TrimPrefix(f.job.Sides.Against[i], baseline.Prefix)
	f.job.Sides.Against = slices.Delete(slices.Clone(f.job.Sides.Against), i, i+1)
	if sides, _ := f.job.Sides.List(); len(sides) > 0 {
		return usageError(fmt.Errorf("--against %s%s: a record that is saved is compared with one side, and there are others", baseline.Prefix, s.against), "leave out the other sides")
	}
	if len(f.job.With) > 0 {
		return usageError(errors.New("--with gives revisions a file, and a saved record has none"), "leave it out")
	}
	f.job.Sides.Others = true
	s.path, err = baseline.Find(s.dir, s.against)
	return err
}

// compares reports whether a result is compared with anything: sides that are measured, or a record that is saved.
func (f *benchFlags) compares() bool {
	sides, _ := f.job.Sides.List() // mistakes are said elsewhere
	return len(sides) > 0 || f.saved.against != "" || f.job.SideBy != ""
}

// withSaved returns the comparison of the record that was just written with the saved one. The two records are of
// different runs. The result says so, and which changes that leaves undecided.
func (r *benchRun) withSaved() (*result.Result, error) {
	s := &r.flags.saved
	all := result.NewBuilder()
	for _, x := range []struct{ name, path string }{{s.against, s.path}, {job.SideNew, r.recorder.Path()}} {
		one, err := readSide(strings.NewReader(""), x.path)
		if err != nil {
			return nil, err
		}
		if err := all.Absorb(one, x.name); err != nil {
			return nil, usageError(fmt.Errorf("%s: %w", x.path, err), "tare bench --save "+s.against+" saves another")
		}
	}
	j := &r.flags.job
	all.Judge(result.Judgement{Threshold: j.Threshold, Thresholds: r.flags.team.thresholds(), Correction: j.Correction, Test: j.Test, Confidence: j.Confidence})
	res := all.Result()
	if len(res.Comparisons) == 0 && len(res.Lost) == 0 {
		exit.Message(r.err, "warning", fmt.Sprintf("no benchmark is in %s%s and in this run: there is nothing to compare", baseline.Prefix, s.against))
		return r.recorder.Result(), nil
	}
	return res, nil
}

// showSaved returns what writes the comparison with a saved record, its page with both records inside.
func (r *benchRun) showSaved(res *result.Result) session.Render {
	write := r.flags.output.result(res)
	return func(w io.Writer, format string) error {
		if render.Format(format) != render.HTML {
			return write(w, format)
		}
		b := bufio.NewWriter(w)
		if err := comparedPage(b, res, nil, render.Selection{}, []string{r.flags.saved.path, r.recorder.Path()}); err != nil {
			return err
		}
		return b.Flush()
	}
}

// saveRecord keeps the record of a run that was completed.
func (r *benchRun) saveRecord() error {
	s := &r.flags.saved
	if s.save == "" {
		return nil
	}
	if r.config.Signals.Caught() {
		r.config.Progress.Note("the run is not complete: it was not saved as %s", s.save)
		return nil
	}
	if err := baseline.Save(s.dir, s.save, r.recorder.Path()); err != nil {
		return err
	}
	exit.Message(r.err, "saved", fmt.Sprintf("%s; compare with it: tare bench --against %s%s", s.save, baseline.Prefix, s.save))
	return nil
}
