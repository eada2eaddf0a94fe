package cli

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/profile/asm"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/render"
	"github.com/tarebench/tare/internal/show/subjects/listing"
	"github.com/tarebench/tare/record"
)

// listingFlags say what a listing shows.
type listingFlags struct {
	hot                        string // a share
	top, margin, merge, tooBig int
	counts, syntax, fn         string
	runtime                    bool
}

func (f *listingFlags) register(fl *pflag.FlagSet) {
	fl.StringVar(&f.hot, "hot", "10%", "print the code of regions with more than this `share` of the samples, and of the hottest one that is your own")
	fl.IntVar(&f.top, "top", listing.DefaultTop, "rows of each list; 0 for all")
	fl.IntVar(&f.margin, "margin", listing.DefaultMargin, "instructions around a region")
	fl.IntVar(&f.merge, "merge", listing.DefaultMerge, "join regions that are at most this many instructions apart")
	fl.IntVar(&f.tooBig, "too-big", listing.DefaultTooBig, "of regions with more instructions, print those around the hottest; 0 prints all")
	fl.StringVar(&f.counts, "counts", string(listing.Percent), "percent, raw, or perop: ns of CPU time per operation")
	fl.StringVar(&f.syntax, "syntax", string(listing.Go), "go, intel or att")
	fl.BoolVar(&f.runtime, "runtime", false, "print the code of hot regions of the runtime, too: they are one line each")
	fl.StringVar(&f.fn, "func", "", "print functions that match this `regexp` whole, whatever their share")
	flags.Daily(fl, "hot", "top", "syntax", "runtime", "func")
}

// config checks the flags. chosen tells that --counts was given; else the listing chooses.
func (f *listingFlags) config(chosen bool) (listing.Config, error) {
	p := problems{}
	c := listing.Config{
		Top: p.listLength("top", f.top), Margin: p.listLength("margin", f.margin), Merge: p.listLength("merge", f.merge), TooBig: p.listLength("too-big", f.tooBig),
		Counts: listing.Counts(f.counts), Syntax: listing.Syntax(f.syntax),
		Runtime: f.runtime,
	}
	var err error
	if c.Hot, err = units.ParseWholeShare(f.hot); err != nil {
		p.Add("--hot: %v", err)
	}
	if c.Hot == 0 {
		c.Hot = -1 // what a Config has for all of them
	}
	if f.fn != "" {
		if c.Func, err = regexp.Compile(f.fn); err != nil {
			p.Add("--func: %v", err)
		}
	}
	if err := c.Validate(); err != nil {
		p.Add("%v", err)
	}
	if !chosen {
		c.Counts = ""
	}
	return c, p.Err()
}

// errNothingSampled is about a result without a listing.
var errNothingSampled = errors.New("nothing was sampled")

// listing returns what writes all that was sampled in a run.
func (f *asmFlags) listing(res *result.Result) session.Render {
	return func(w io.Writer, format string) error {
		if len(res.Listings) == 0 {
			return whyNothing(res)
		}
		return f.cases(res.Listings)(w, format)
	}
}

// whyNothing returns why a run has no listing: what failed, or what the sampler reported. It ignores warnings
// about figures.
func whyNothing(res *result.Result) error {
	for _, r := range res.Results {
		if r.Failed != "" {
			return failed(fmt.Errorf("%w: %s: %s", errNothingSampled, r.Name, r.Failed), "")
		}
	}
	for _, w := range warningsOf(res) {
		if strings.Contains(w.Text, asm.Name+": ") { // the name of the profiler
			return failed(fmt.Errorf("%w: %s", errNothingSampled, w.Text), w.Advice)
		}
	}
	return failed(errNothingSampled, "sample benchmarks by tare asm, or tare bench --prof asm")
}

// cases returns what writes listings one after another, or two sides beside each other.
func (f *asmFlags) cases(cases []result.Profiled[record.Asm]) session.Render {
	return func(w io.Writer, format string) error {
		var views []*render.View
		var err error
		if f.compare {
			views, err = render.ListingPairs(cases, f.cfg)
		}
		if len(views) == 0 && err == nil { // also if no benchmark was sampled on both sides
			views, err = render.ListingViews(cases, f.cfg)
		}
		if err != nil {
			return failed(err, "")
		}
		return f.bench.output.views(views)(w, format)
	}
}
