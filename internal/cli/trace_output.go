package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/session"
)

// outlet is where the result of trace, sample and contrast goes: --format of stdout,
// and -o, as often as one likes, with forms that reports do not have.
type outlet struct {
	suffixes []string // of forms that the verb has besides records, JSON and text
	format   render.Format
	records  string // the -o that takes records
	exports  []form // the others
	record   string // the file of the records
}

// form is a file that gets the result in the form that its suffix names.
type form struct{ path, suffix string }

// known are the suffixes of -o for what is no record.
func (o *outlet) known() []string { return append([]string{".json", ".txt"}, o.suffixes...) }

// check reads --format and -o.
func (o *outlet) check(show *showFlags) (err error) {
	switch o.format = render.Format(show.format); o.format {
	case "", render.Text, render.JSON, render.JSONL:
	default:
		return usageError(fmt.Errorf("--format %s: there is no such form of it", show.format), "there is text, json, and jsonl for the records; -o FILE for those of its suffix: "+strings.Join(o.known(), " "))
	}
	if o.format, err = show.check(); err != nil {
		return err
	}
	taken := map[string]bool{}
	for _, out := range append([]string{show.out}, show.more...) {
		if out == "" || out == "-" {
			continue
		}
		if taken[filepath.Clean(out)] {
			return usageError(fmt.Errorf("-o %s: is named twice", out), "")
		}
		taken[filepath.Clean(out)] = true
		if err := o.add(out); err != nil {
			return err
		}
	}
	return nil
}

// add takes a file of -o.
func (o *outlet) add(out string) error {
	name, suffix := filepath.Base(out), ""
	for _, s := range o.known() {
		if strings.HasSuffix(name, s) && len(s) > len(suffix) { // .trace.json is longer than .json
			suffix = s
		}
	}
	switch {
	case strings.HasSuffix(name, render.TraceEventsSuffix) && suffix != render.TraceEventsSuffix:
		return usageError(fmt.Errorf("-o %s: there is no execution path in it", out), "tare trace keeps it; the result is .json")
	case suffix != "":
		o.exports = append(o.exports, form{out, suffix})
		return session.CheckWritable(out)
	case strings.HasSuffix(name, ".jsonl") || filepath.Ext(name) == "":
		if o.records != "" {
			return usageError(fmt.Errorf("-o %s: the records go to %s already", out, o.records), "")
		}
		o.records = out
		return nil
	}
	return usageError(fmt.Errorf("-o %s: there is no form of it by that suffix", out), "use .jsonl (records), "+strings.Join(o.known(), ", "))
}

// wants is the file that was asked for in a form; "" if none was.
func (o *outlet) wants(suffix string) string {
	for _, e := range o.exports {
		if e.suffix == suffix {
			return e.path
		}
	}
	return ""
}

// print writes the result of a run: to standard output, and to where -o says. What cannot
// be written does not keep the rest from it.
func (o *outlet) print(st streams, show *showFlags, views []*render.View) error {
	err := o.export(show, views)
	return errors.Join(o.stdout(st.out, show, views), err)
}

// again writes what a record holds: to where -o says, else to standard output.
func (o *outlet) again(st streams, show *showFlags, views []*render.View) error {
	if o.records == "" && len(o.exports) == 0 {
		return o.stdout(st.out, show, views)
	}
	err := o.export(show, views)
	if o.records != "" {
		err = errors.Join(err, o.replace(o.records, func(w io.Writer) error { return session.CopyFile(w, o.record) }))
	}
	return err
}

// export writes the files that are no records.
func (o *outlet) export(show *showFlags, views []*render.View) error {
	var errs []error
	for _, e := range o.exports {
		errs = append(errs, o.replace(e.path, func(w io.Writer) error { return o.file(w, e, show, views) }))
	}
	return errors.Join(errs...)
}

// replace writes a file, whole or not at all.
func (o *outlet) replace(path string, write func(io.Writer) error) error {
	var bad error
	err := session.ReplaceFile(path, func(w *os.File) error { bad = write(w); return bad })
	switch {
	case bad != nil:
		return bad
	case err != nil:
		return failed(fmt.Errorf("-o: %w", err), "the records are in "+o.record)
	}
	return nil
}

// file writes the form that the suffix of -o names.
func (o *outlet) file(w io.Writer, e form, show *showFlags, views []*render.View) error {
	switch e.suffix {
	case ".json":
		return o.forms(w, render.JSON, show, views)
	case ".txt":
		return o.forms(w, render.Text, show, views)
	}
	if len(views) != 1 {
		var names []string
		for _, v := range views {
			names = append(names, v.Title)
		}
		return usageError(fmt.Errorf("-o %s: holds one program, and there are %d: %s", e.path, len(views), someOf(names)), "choose by --bench REGEXP")
	}
	write := views[0].Files[e.suffix]
	if write == nil {
		return failed(fmt.Errorf("-o %s: %s has nothing for it", e.path, views[0].Title), "--keep-calls N keeps the order of calls")
	}
	if err := write(w); err != nil {
		return failed(fmt.Errorf("-o %s: %w", e.path, err), "")
	}
	return nil
}

func (o *outlet) stdout(w io.Writer, show *showFlags, views []*render.View) error {
	if o.format == render.JSONL {
		return session.CopyFile(w, o.record)
	}
	return o.forms(w, o.format, show, views)
}

// forms writes one view after another; of JSON, an object each.
func (o *outlet) forms(w io.Writer, format render.Format, show *showFlags, views []*render.View) error {
	if err := render.WriteViews(w, format, views, show.options(w)); err != nil {
		return failed(err, "")
	}
	return nil
}

// errNothingWatched is about a record without what a verb shows.
var errNothingWatched = errors.New("nothing of the kind is in it")
