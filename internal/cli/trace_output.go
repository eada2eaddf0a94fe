package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/session"
)

// outlet is where the result of trace, sample and contrast goes: --format of stdout, and -o, as
// often as one likes, with formats that reports do not have.
type outlet struct {
	suffixes []string // of formats that the verb has besides records, JSON and text
	format   render.Format
	*session.Exporter
	record string // the file of the records
}

// known are the suffixes of -o for what is no record.
func (o *outlet) known() []string { return append([]string{".json", ".txt"}, o.suffixes...) }

// check reads --format and -o.
func (o *outlet) check(show *showFlags) (err error) {
	switch o.format = render.Format(show.format); o.format {
	case "", render.Text, render.JSON, render.JSONL:
	default:
		return usageError(fmt.Errorf("--format %s: a program has no such format", show.format), "use text, json, or jsonl for the records; -o FILE also takes "+strings.Join(o.known(), " "))
	}
	if o.format, err = show.check(); err != nil {
		return err
	}
	forms := map[string]string{}
	for _, suffix := range o.known() {
		forms[suffix] = suffix
	}
	paths := append([]string{show.out}, show.more...)
	for _, path := range paths {
		if strings.HasSuffix(path, render.TraceEventsSuffix) && forms[render.TraceEventsSuffix] == "" {
			return usageError(fmt.Errorf("-o %s: there is no execution path in it", path), "tare trace keeps it; the result is .json")
		}
	}
	o.Exporter, err = session.NewExporter(paths, forms)
	return err
}

// print writes the result of a run to standard output, and to the files of -o. One that cannot
// be written does not keep the others from it.
func (o *outlet) print(st streams, show *showFlags, views []*render.View) error {
	err := o.Export(o.record, o.file(show, views))
	return errors.Join(o.stdout(st.out, show, views), err)
}

// printAgain writes what a record holds to the files of -o, else to standard output.
func (o *outlet) printAgain(st streams, show *showFlags, views []*render.View) error {
	if o.Records == "" && len(o.Files) == 0 {
		return o.stdout(st.out, show, views)
	}
	return o.ExportAgain(o.record, o.file(show, views))
}

// file returns what writes the format of a suffix.
func (o *outlet) file(show *showFlags, views []*render.View) session.Render {
	return func(w io.Writer, suffix string) error {
		switch suffix {
		case ".json":
			return o.write(w, render.JSON, show, views)
		case ".txt":
			return o.write(w, render.Text, show, views)
		}
		if len(views) != 1 {
			var names []string
			for _, v := range views {
				names = append(names, v.Title)
			}
			return usageError(fmt.Errorf("-o %s: holds one program, and there are %d: %s", o.Path(suffix), len(views), someOf(names)), "choose by --bench REGEXP")
		}
		write := views[0].Files[suffix]
		if write == nil {
			return failed(fmt.Errorf("-o %s: %s has nothing for it", o.Path(suffix), views[0].Title), "--keep-calls N keeps the order of calls")
		}
		return write(w)
	}
}

func (o *outlet) stdout(w io.Writer, show *showFlags, views []*render.View) error {
	if o.format == render.JSONL {
		return session.CopyFile(w, o.record)
	}
	return o.write(w, o.format, show, views)
}

// write writes one view after another; of JSON, an object each.
func (o *outlet) write(w io.Writer, format render.Format, show *showFlags, views []*render.View) error {
	if err := render.WriteViews(w, format, views, show.options(w)); err != nil {
		return failed(err, "")
	}
	return nil
}

// errNothingWatched is about a record without what a verb shows.
var errNothingWatched = errors.New("nothing of the kind is in it")
