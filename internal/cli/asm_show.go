package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/profiler/asm"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/render/listing"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/record"
)

// asmPrinter shows what was sampled.
type asmPrinter struct {
	cfg     listing.Config
	show    *showFlags
	compare bool
	record  string // the file of the records, for --format jsonl
	chosen  bool   // --counts was given
}

// asmFormats are those that a listing has.
var asmFormats = []render.Format{render.Text, render.JSON, render.JSONL}

// withoutListing are the formats of reports that a listing does not have.
func withoutListing() []render.Format {
	return slices.DeleteFunc(slices.Clone(render.Formats()), func(f render.Format) bool { return slices.Contains(asmFormats, f) })
}

// printer checks the flags that say what is shown.
func (f *asmFlags) printer() (*asmPrinter, error) {
	cfg, err := f.list.config()
	if err != nil {
		return nil, err
	}
	format, err := f.show.check()
	if err != nil {
		return nil, err
	}
	if !slices.Contains(asmFormats, format) {
		return nil, usageError(fmt.Errorf("--format %s: a listing has no such form", format), "there is text, json, and jsonl for the records")
	}
	if of, known := render.FormatOfPath(f.show.out); known && !slices.Contains(asmFormats, of) || !known && filepath.Ext(f.show.out) != "" {
		return nil, usageError(fmt.Errorf("-o %s: a listing has no such form", f.show.out), "use .jsonl (records), .json or .txt")
	}
	return &asmPrinter{cfg: cfg, show: &f.show}, nil
}

// errNothingSampled is about a result without a listing.
var errNothingSampled = errors.New("nothing was sampled")

// summary shows all that was sampled in a run.
func (p *asmPrinter) summary(w io.Writer, format render.Format, sum *result.Result) error {
	if format == render.JSONL {
		return session.CopyFile(w, p.record)
	}
	if len(sum.Listings) == 0 {
		return whyNothing(sum)
	}
	return p.cases(w, format, sum.Listings)
}

// whyNothing finds out why a run has no listing: what failed, or what the sampler said.
// Other warnings are about figures, which are not asked for here.
func whyNothing(sum *result.Result) error {
	for _, r := range sum.Results {
		if r.Failed != "" {
			return failed(fmt.Errorf("%w: %s: %s", errNothingSampled, r.Name, r.Failed), "")
		}
	}
	for _, w := range sum.Warnings {
		if ofSampler(w.Text) {
			return failed(fmt.Errorf("%w: %s", errNothingSampled, w.Text), w.Advice)
		}
	}
	for _, r := range sum.Results {
		for _, w := range r.Warnings {
			if ofSampler(w.Text) {
				return failed(fmt.Errorf("%w: %s: %s", errNothingSampled, r.Name, w.Text), w.Advice)
			}
		}
	}
	return failed(errNothingSampled, "sample benchmarks by tare asm, or tare bench --prof asm")
}

// ofSampler tells by the name of the profiler before it what a warning is about.
func ofSampler(text string) bool { return strings.Contains(text, asm.Name+": ") }

// cases shows one after another, or two sides beside each other.
func (p *asmPrinter) cases(w io.Writer, format render.Format, cases []result.Profiled[record.Asm]) error {
	cfg := p.cfg
	if !p.chosen {
		cfg.Counts = ""
	}
	make := render.ListingViews
	if p.compare {
		make = render.ListingPairs
	}
	views, err := make(cases, cfg)
	if err != nil {
		return failed(err, "")
	}
	if p.compare && len(views) == 0 {
		return failed(errors.New("nothing to compare: no benchmark was sampled on both sides"), "leave out --compare to see what was")
	}
	return render.WriteViews(w, format, views, p.show.options(w))
}
