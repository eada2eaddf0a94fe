package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/markdown"
	"github.com/tarebench/tare/internal/show/subjects/calls"
	"github.com/tarebench/tare/internal/show/subjects/listing"
	"github.com/tarebench/tare/internal/show/subjects/profile"
	"github.com/tarebench/tare/internal/show/subjects/selftest"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/record"
)

// A View is one program or benchmark in each form in which it can be shown.
type View struct {
	Title string
	Text  func(io.Writer, Options) error
	JSON  func(io.Writer) error
	Files map[string]func(io.Writer) error // other forms, by the suffix of a file: ".svg"

	Profile    func() (*profile.View, error) // the call stacks behind it; nil: there are none
	Difference *profile.Difference           // the two profiles that it compares; nil: it does not
	Listing    *listing.Listing              // the machine code that it shows; nil: none
}

// WriteViews writes one view after another: texts with an empty line between them, or a JSON
// object for each. An error names the view it is about.
func WriteViews(w io.Writer, f Format, views []*View, o Options) error {
	var b bytes.Buffer
	for i, v := range views {
		var err error
		switch f {
		case Text:
			if i > 0 {
				b.WriteByte('\n')
			}
			err = v.Text(&b, o)
		case JSON:
			err = v.JSON(&b)
		case Markdown:
			err = v.markdown(&b, o, i > 0)
		default:
			err = fmt.Errorf("no form %s of it", f)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", v.Title, err)
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// markdown writes the text in a block of its own.
func (v *View) markdown(b *bytes.Buffer, o Options, more bool) error {
	o.Color = false
	var text strings.Builder
	if err := v.Text(&text, o); err != nil {
		return err
	}
	if more {
		b.WriteByte('\n')
	}
	b.WriteString(markdown.Fenced(text.String(), "") + "\n")
	return nil
}

// encodeJSON returns a function that writes v as one line of JSON.
func encodeJSON(v json.Marshaler) func(io.Writer) error {
	return func(w io.Writer) error {
		return termtext.NewJSON(w, "").Encode(v)
	}
}

// A FormatError says that a record has nothing that a format could hold.
type FormatError struct {
	Format Format
	Kind   string   // of the record: record.KindTrace …
	Have   []Format // that it can be written in
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("--format %s is for results of benchmarks, and this record of tare %s has none", e.Format, e.Kind)
}

// Others returns the formats in which the record can be written, for a hint.
func (e *FormatError) Others() string {
	var names []string
	for _, f := range e.Have {
		names = append(names, "--format "+string(f))
	}
	return strings.Join(names, ", ")
}

// viewFormats are the formats of records about programs.
var viewFormats = []Format{Text, Markdown, JSON, JSONL, SVG, HTML}

// writeProgram writes a record about what a program does. It reports false if the format is
// one of benchmarks, and the record has some, or if there is nothing to show.
func writeProgram(b *bytes.Buffer, f Format, s *result.Result, o Options) (written bool, err error) {
	kind := record.KindOf(s.Run)
	if kind == record.KindAsm && len(s.Results) > 0 && f != Text && f != JSON {
		return false, nil
	}
	if !slices.Contains(viewFormats, f) {
		return true, &FormatError{f, kind, viewFormats}
	}
	switch f {
	case JSONL:
		return true, errJSONL
	case HTML:
		return true, errHTML
	}
	views, err := programViews(s, kind, o.Select)
	if err != nil || len(views) == 0 {
		return err != nil, err
	}
	if f == SVG {
		return true, writeViewPicture(b, views)
	}
	return true, WriteViews(b, f, views, o)
}

// writeViewPicture writes the picture of the only program of a record.
func writeViewPicture(b *bytes.Buffer, views []*View) error {
	if len(views) != 1 {
		return fmt.Errorf("svg: a picture holds one program, and there are %d", len(views))
	}
	write := views[0].Files[".svg"]
	if write == nil {
		return errNoPicture
	}
	return write(b)
}

// writeSelftest writes a self-test, which has no results of benchmarks.
func writeSelftest(b *bytes.Buffer, f Format, s *result.Result, o Options) error {
	switch f {
	case JSON:
		return s.Selftest.WriteJSON(termtext.JSON(b))
	case Text, Markdown:
		v := &View{Text: func(w io.Writer, o Options) error { return selftest.Text(w, s.Selftest, o) }}
		return WriteViews(b, f, []*View{v}, o)
	case JSONL:
		return errJSONL
	case HTML:
		return errHTML
	case SVG:
		return errNoPicture
	}
	return &FormatError{f, record.KindSelftest, viewFormats}
}

// programViews returns the views of a record of that kind; none if its program was not run.
func programViews(s *result.Result, kind string, of textpage.Selection) ([]*View, error) {
	switch kind {
	case record.KindAsm:
		if s.Run != nil && len(s.Run.Sides) == 2 {
			if views, err := ListingPairs(s.Listings, listing.Config{}); err != nil || len(views) > 0 {
				return views, err
			}
		}
		return ListingViews(s.Listings, listing.Config{})
	case record.KindTrace:
		return CallsViews(s, calls.Config{Selection: of})
	case record.KindSample:
		return StackViews(s, StackOptions{Selection: of})
	}
	if len(s.Calls) == 1 && len(s.Stacks) == 1 {
		return ContrastViews(s)
	}
	traced, err := CallsViews(s, calls.Config{Selection: of}) // half of it is better than nothing
	if err != nil {
		return nil, err
	}
	stacks, err := StackViews(s, StackOptions{Selection: of})
	return append(traced, stacks...), err
}

// isProgram reports whether a record is about what a program does.
func isProgram(s *result.Result) bool {
	switch record.KindOf(s.Run) {
	case record.KindAsm, record.KindTrace, record.KindSample, record.KindContrast:
		return true
	}
	return false
}

// readable returns the decoding error of the first attachment that cannot be read, or nil.
func readable(s *result.Result, attachments ...string) error {
	for _, d := range s.Damages {
		if slices.Contains(attachments, d.Attachment) {
			return fmt.Errorf("%s: %w", d.Title, d.Err)
		}
	}
	return nil
}

// printable returns a title with control characters escaped, so that it cannot control the terminal.
func printable(title string) string { return termtext.Charset{UTF8: true}.Name(title) }
