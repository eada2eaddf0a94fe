package fewlines_test

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/dev/attack/fewlines"
	"github.com/tarebench/tare/dev/attack/mutate"
	"github.com/tarebench/tare/dev/attack/target"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/runs"
	"github.com/tarebench/tare/internal/result/why/gather"
	"github.com/tarebench/tare/internal/show/render"
	"github.com/tarebench/tare/internal/show/subjects/calls"
	"github.com/tarebench/tare/internal/show/subjects/listing"
	"github.com/tarebench/tare/internal/show/subjects/whytext"
)

// allFormats are those that render.Write writes, and some that it refuses.
var allFormats = slices.Compact(slices.Sorted(slices.Values(slices.Concat(render.Formats(), render.LoadFormats(), []render.Format{render.Callgrind}))))

// showAll returns why something that it writes is not of its format.
func showAll(file, other []byte) (bad string) {
	write := func(what string, f render.Format, write func(io.Writer) error) {
		if strings.HasSuffix(string(f), "pb.gz") {
			write(io.Discard)
			return
		}
		var b bytes.Buffer
		if write(&b) == nil && bad == "" && len(file)%3 == 0 { // it takes longer than writing
			if why := cmp.Or(target.Malformed(string(f), b.String()), obeyed(b.String())); why != "" {
				bad = fmt.Sprintf("what is written of %s is invalid: %s", what, why)
			}
		}
	}
	show := func(what string, r *result.Result) {
		for _, f := range allFormats {
			if f != render.JSONL && f != render.HTML {
				write(what, f, func(w io.Writer) error { return render.Write(w, f, r, render.Options{Verbose: len(file)%2 == 0}) })
			}
		}
		write(what+" live", "main", func(w io.Writer) error { return render.WriteLiveMain(w, r) })
		for _, v := range allViews(r) {
			write(what+" view", render.Text, func(w io.Writer) error { return v.Text(w, render.Options{Verbose: true}) })
			write(what+" view", render.JSON, v.JSON)
			for suffix, one := range v.Files {
				write(what+" view", render.Format(suffix[1:]), one)
			}
		}
	}
	causes := func(r *result.Result) {
		var rows []whytext.Row
		for _, c := range gather.Changed(r, true, 3) {
			rows = append(rows, whytext.Of(r, c, 0, nil))
		}
		write("causes", render.Text, func(w io.Writer) error { return whytext.Text(w, rows, "none", render.Options{Verbose: true}) })
		write("causes", render.JSON, func(w io.Writer) error { return whytext.JSON(w, rows) })
		write("causes", render.Markdown, func(w io.Writer) error { return whytext.Markdown(w, rows, "none") })
	}
	all := runs.Read(bytes.NewReader(file), "few.jsonl")
	for _, r := range all {
		show("a run", r.Result)
		causes(r.Result)
	}
	orders := [][2][]byte{{file, file}, {file, other}, {other, file}}
	both := compared(orders[len(file)%3])
	show("a comparison", both)
	causes(both)
	var loads []*result.Builder
	for range 2 {
		loads = append(loads, side(file))
	}
	if loads[0].Result().IsLoad() {
		if r, err := result.CompareLoads([]string{"old", "new"}, loads, result.Judgement{}); err == nil {
			show("load runs", r)
		}
	}
	return bad
}

// obeyed returns the line of a text that a terminal would obey, "" if there is none.
func obeyed(text string) string {
	for line := range strings.SplitSeq(text, "\n") {
		if termtext.Visible(line) != line {
			return line
		}
	}
	return ""
}

func side(file []byte) *result.Builder {
	b := result.NewBuilder()
	b.KeepIntervals()
	b.ReadAll(bytes.NewReader(file), "few.jsonl") // as far as it can be read
	return b
}

func compared(files [2][]byte) *result.Result {
	all := result.NewBuilder()
	for i, name := range []string{"old", "new"} {
		if all.Absorb(side(files[i]), name) != nil {
			return &result.Result{}
		}
	}
	all.Judge(result.Judgement{Threshold: 0.01, Correction: result.Holm})
	return all.Result()
}

func allViews(r *result.Result) (all []*render.View) {
	for _, views := range []func() ([]*render.View, error){
		func() ([]*render.View, error) { return render.CallsViews(r, calls.Config{}) },
		func() ([]*render.View, error) { return render.StackViews(r, render.StackOptions{}) },
		func() ([]*render.View, error) { return render.ContrastViews(r) },
		func() ([]*render.View, error) { return render.ListingViews(r.Listings, listing.Config{}) },
		func() ([]*render.View, error) { return render.ListingPairs(r.Listings, listing.Config{}) },
		func() ([]*render.View, error) { return render.ProfileDifferences(r, render.StackOptions{}) },
	} {
		if some, err := views(); err == nil {
			all = append(all, some...)
		}
	}
	return all
}

// FuzzShown shows any file, beginning with files of few lines.
func FuzzShown(f *testing.F) {
	source := fewlines.New(goldenRecords(f)...)
	for number := range 30 {
		f.Add(source.File(mutate.Seed(1, "few lines", number)))
	}
	other := benchRecord(f)
	f.Fuzz(func(t *testing.T, file []byte) {
		if bad := showAll(file, other); bad != "" {
			t.Error(bad)
		}
	})
}
