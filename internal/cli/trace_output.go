package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tarebench/tare/report"
)

// shownView is what was seen of one program, in all forms that it has.
type shownView struct {
	title string
	text  func(io.Writer, report.Options) error
	json  func(io.Writer) error
	files map[string]func(io.Writer) error // by the suffix of -o
}

// outlet is where the result of trace, sample and contrast goes: --format of stdout,
// and -o with forms that reports do not have.
type outlet struct {
	suffixes []string // of forms that the verb has besides records, JSON and text
	format   report.Format
	records  string // -o, if it takes records
	export   string // -o, if it takes anything else
	suffix   string // of export
	record   string // the file of the records
}

// known are the suffixes of -o for what is no record.
func (o *outlet) known() []string { return append([]string{".json", ".txt"}, o.suffixes...) }

// check reads --format and -o.
func (o *outlet) check(show *showFlags) (err error) {
	if o.format, err = show.check(); err != nil {
		return err
	}
	switch o.format {
	case report.Text, report.JSON, report.JSONL:
	default:
		return usage(fmt.Errorf("--format %s: there is no such form of it", o.format), "there is text, json, and jsonl for the records")
	}
	name := filepath.Base(show.out)
	if show.out == "" || show.out == "-" {
		return nil
	}
	for _, suffix := range o.known() {
		// .trace.json is longer than .json
		if strings.HasSuffix(name, suffix) && len(suffix) > len(o.suffix) {
			o.suffix, o.export = suffix, show.out
		}
	}
	switch {
	case o.export != "":
		return writable(o.export)
	case strings.HasSuffix(name, ".jsonl") || filepath.Ext(name) == "":
		o.records = show.out
		return nil
	}
	return usage(fmt.Errorf("-o %s: there is no form of it by that suffix", show.out), "use .jsonl (records), "+strings.Join(o.known(), ", "))
}

// print writes the result of a run: to standard output, and to where -o says.
func (o *outlet) print(st streams, show *showFlags, views []*shownView) error {
	if o.export != "" {
		if err := o.replace(o.export, func(w io.Writer) error { return o.file(w, show, views) }); err != nil {
			return err
		}
	}
	return o.stdout(st.out, show, views)
}

// again writes what a record holds: to where -o says, else to standard output.
func (o *outlet) again(st streams, show *showFlags, views []*shownView) error {
	switch {
	case o.export != "":
		return o.replace(o.export, func(w io.Writer) error { return o.file(w, show, views) })
	case o.records != "":
		return o.replace(o.records, func(w io.Writer) error { return copyFile(w, o.record) })
	}
	return o.stdout(st.out, show, views)
}

// replace writes a file, whole or not at all.
func (o *outlet) replace(path string, write func(io.Writer) error) error {
	var bad error
	err := replaceFile(path, func(w *os.File) error { bad = write(w); return bad })
	switch {
	case bad != nil:
		return bad
	case err != nil:
		return failed(fmt.Errorf("-o: %w", err), "the records are in "+o.record)
	}
	return nil
}

// file writes the form that the suffix of -o names.
func (o *outlet) file(w io.Writer, show *showFlags, views []*shownView) error {
	switch o.suffix {
	case ".json":
		return o.forms(w, report.JSON, show, views)
	case ".txt":
		return o.forms(w, report.Text, show, views)
	}
	if len(views) != 1 {
		var names []string
		for _, v := range views {
			names = append(names, v.title)
		}
		return usage(fmt.Errorf("-o %s: holds one program, and there are %d: %s", o.export, len(views), someOf(names)), "choose by --bench REGEXP")
	}
	write := views[0].files[o.suffix]
	if write == nil {
		return failed(fmt.Errorf("-o %s: %s has nothing for it", o.export, views[0].title), "calls that were only counted have no path")
	}
	if err := write(w); err != nil {
		return failed(fmt.Errorf("-o %s: %w", o.export, err), "")
	}
	return nil
}

func (o *outlet) stdout(w io.Writer, show *showFlags, views []*shownView) error {
	if o.format == report.JSONL {
		return copyFile(w, o.record)
	}
	return o.forms(w, o.format, show, views)
}

// forms writes one view after another; of JSON, an object each.
func (o *outlet) forms(w io.Writer, format report.Format, show *showFlags, views []*shownView) error {
	var b bytes.Buffer
	for i, v := range views {
		if format == report.JSON {
			if err := v.json(&b); err != nil {
				return failed(fmt.Errorf("%s: %w", v.title, err), "")
			}
			continue
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		if err := v.text(&b, show.options(w)); err != nil {
			return failed(fmt.Errorf("%s: %w", v.title, err), "")
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// asJSON writes an object as others of tare are written.
func asJSON(v json.Marshaler) func(io.Writer) error {
	return func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		return e.Encode(v)
	}
}

// errNothingWatched is about a record without what a verb shows.
var errNothingWatched = errors.New("nothing of the kind is in it")
