package render

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/export"
	"github.com/tarebench/tare/internal/show/subjects/loadtext"
)

// The formats that only load runs have: what YCSB prints at the end of a run.
const (
	YCSB     Format = "ycsb"      // its text
	YCSBJSON Format = "ycsb-json" // its JSON, an object a line
)

// LoadFormats returns the formats of load runs in the order in which help texts
// list them.
func LoadFormats() []Format {
	return []Format{Text, JSONL, JSON, CSV, Markdown, SVG, HTML, YCSB, YCSBJSON}
}

// ParseLoadFormat returns the format of that name.
func ParseLoadFormat(name string) (Format, error) {
	if f := Format(name); slices.Contains(LoadFormats(), f) {
		return f, nil
	}
	if f := Format(name); slices.Contains(Formats(), f) {
		return "", errNoLoad(f)
	}
	names := make([]string, len(LoadFormats()))
	for i, f := range LoadFormats() {
		names[i] = string(f)
	}
	return "", fmt.Errorf("unknown format %q: want one of %s", name, strings.Join(names, ", "))
}

func errNoLoad(f Format) error {
	return fmt.Errorf("%s holds samples of benchmarks, and a load run is one sample of many latencies: use json, csv or ycsb", f)
}

// errLoadSVG: only the caller, who has the record, can draw its histograms.
var errLoadSVG = errors.New("svg needs the histograms of the record, not only their summary")

// errNotLoad is the error for a format that only load runs have.
var errNotLoad = errors.New("ycsb is a format of load runs, and this is none")

// writeLoad writes a load run.
func writeLoad(w *bytes.Buffer, f Format, s *result.Result, o Options) error {
	switch {
	case s.LoadPairs != nil && f == Text:
		writeLoadPairs(w, s, o)
		return nil
	case s.LoadPairs != nil && f == Markdown:
		mdLoadPairs(w, s, o)
		return nil
	case s.LoadPairs != nil && f == CSV:
		return export.CSV(w, s)
	}
	switch f {
	case Text:
		loadtext.Text(w, s, o)
	case Markdown:
		loadtext.Markdown(w, s, o)
	case JSON:
		return writeJSON(w, s)
	case CSV:
		return export.LoadCSV(w, s)
	case YCSB:
		return export.YCSB(w, s)
	case YCSBJSON:
		return export.YCSBJSON(w, s)
	case Benchfmt, JMH, JUnit, Callgrind:
		return errNoLoad(f)
	case JSONL:
		return errJSONL
	case SVG:
		return errLoadSVG
	case HTML:
		return errHTML
	default:
		_, err := ParseLoadFormat(string(f))
		return err
	}
	return nil
}
