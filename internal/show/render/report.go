package render

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/export"
	"github.com/tarebench/tare/internal/show/subjects/bisecttext"
	"github.com/tarebench/tare/internal/show/textpage"
)

// Format is a way to write results.
type Format string

// The formats.
const (
	Text      Format = "text"      // a table for people
	JSON      Format = "json"      // the summary as one object
	JSONL     Format = "jsonl"     // the records themselves; the caller copies them
	CSV       Format = "csv"       // a row for each unit of each benchmark or comparison, for spreadsheets
	Markdown  Format = "md"        // a GitHub-flavoured table
	Benchfmt  Format = "benchfmt"  // Go's benchmark format, for benchstat
	JMH       Format = "jmh"       // JMH's JSON results, for their viewers
	JUnit     Format = "junit"     // JUnit's XML: gates that are missed are failures
	SVG       Format = "svg"       // a picture: bars with whiskers, or ratios with intervals
	Callgrind Format = "callgrind" // instructions by function and line, for KCachegrind
	HTML      Format = "html"      // a page that shows everything and has the records inside; see WriteHTML
)

// Formats returns the formats of all results of benchmarks, in the order in which help texts list them. [Callgrind] is for
// records with instructions by line.
func Formats() []Format {
	return []Format{Text, JSONL, JSON, CSV, Markdown, Benchfmt, JMH, JUnit, SVG, HTML}
}

// ParseFormat returns the format of that name.
func ParseFormat(name string) (Format, error) {
	if f := Format(name); slices.Contains(Formats(), f) {
		return f, nil
	}
	names := make([]string, len(Formats()))
	for i, f := range Formats() {
		names[i] = string(f)
	}
	return "", fmt.Errorf("unknown format %q: want one of %s", name, strings.Join(names, ", "))
}

// DefaultWidth is the width of a text report where nothing else is known.
const DefaultWidth = termtext.DefaultColumns

// Options say how a report for people looks: the details of Verbose are spread, coverage and
// operations; of comparisons all units, p, and the results of the sides. All but Verbose
// concern the text format alone.
type Options = textpage.Options

// Write writes s to w in format f. Where s compares sides, text, md and csv show
// the comparisons instead of the results. An error of w is returned wrapped.
//
// JSONL and HTML are refused: a record file is more than its summary, so that only the
// caller, who has the records, can write them.
func Write(w io.Writer, f Format, s *result.Result, o Options) error {
	if s == nil {
		return errors.New("report: no summary")
	}
	var b bytes.Buffer
	err := writeAs(&b, f, s, o)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("report: writing %s: %w", f, err)
	}
	return nil
}

var errHTML = errors.New("html has the records inside, not only their summary")

var errJSONL = errors.New("jsonl is a copy of the records, not of their summary")

func writeAs(b *bytes.Buffer, f Format, s *result.Result, o Options) error {
	if s.IsLoad() {
		return writeLoad(b, f, s, o)
	}
	if s.Selftest != nil {
		return writeSelftest(b, f, s, o)
	}
	if isProgram(s) {
		if written, err := writeProgram(b, f, s, o); written {
			return err
		}
	}
	if s.Bisect != nil && len(s.Bisect.Commits) > 0 && f == Text {
		return bisecttext.Text(b, s.Run, s.Bisect, o)
	}
	switch f {
	case Text:
		writeText(b, s, o)
	case Markdown:
		writeMarkdown(b, s, o)
	case JSON:
		return writeJSON(b, s)
	case CSV:
		return export.CSV(b, s)
	case Benchfmt:
		return export.Benchfmt(b, s)
	case JMH:
		return export.JMH(b, s)
	case JUnit:
		return export.JUnit(b, s)
	case Callgrind:
		return writeCallgrind(b, s)
	case SVG:
		return writeSVG(b, s)
	case JSONL:
		return errJSONL
	case HTML:
		return errHTML
	case YCSB, YCSBJSON:
		return errNotLoad
	default:
		_, err := ParseFormat(string(f))
		return err
	}
	return nil
}
