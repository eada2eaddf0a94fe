package cli

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/render"
)

// outputFlags say where a result goes and how it looks: -o, --format, --color and -v.
type outputFlags struct {
	files   []string
	ownDir  string // see session.Exporter.OwnDir
	format  string
	color   string
	verbose bool

	formats  []render.Format   // what --format takes; the first is the default
	suffixes map[string]string // what -o takes besides records: the format of each suffix
	showOnly bool              // the verb writes no record, and -o takes the place of stdout

	selected render.Selection // of profiles

	*session.Exporter // of the flags, once they were checked
}

// Suffixes of -o for results, and the formats that they name.
var (
	tableSuffixes = map[string]string{
		".txt": string(render.Text), ".json": string(render.JSON), ".md": string(render.Markdown), ".csv": string(render.CSV),
		".html": string(render.HTML), ".svg": string(render.SVG),
		".xml": string(render.JUnit),
	}
	textSuffixes = map[string]string{".txt": string(render.Text), ".json": string(render.JSON), ".html": string(render.HTML)}
)

// countedSuffixes are those of verbs that may have counted instructions by line.
func countedSuffixes() map[string]string {
	out := maps.Clone(tableSuffixes)
	out[render.CallgrindSuffix] = string(render.Callgrind)
	return out
}

// textFormats are those of verbs whose result is no table.
var textFormats = []render.Format{render.Text, render.JSON, render.JSONL, render.HTML}

// listingFormats and listingSuffixes are those of tare asm.
var (
	listingFormats  = append(slices.Clone(textFormats), render.Markdown)
	listingSuffixes = map[string]string{".txt": string(render.Text), ".json": string(render.JSON), ".html": string(render.HTML), ".md": string(render.Markdown)}
)

// tableDetails is what -v adds to tables of benchmarks.
const tableDetails = "more columns: spread within and between forks, N, true coverage"

// withSuffixes adds suffixes whose formats have no name but the suffix.
func withSuffixes(known map[string]string, more ...string) map[string]string {
	out := maps.Clone(known)
	for _, suffix := range more {
		out[suffix] = suffix
	}
	return out
}

// register adds the flags. more is what -v adds.
func (f *outputFlags) register(fl *pflag.FlagSet, more string) {
	usage := "write `FILE` in the format that its suffix names (.jsonl: the record; " + f.suffixList() + "); a file that is there is replaced at the end"
	if f.showOnly {
		usage = "write to `FILE` instead of stdout; its suffix names the format (" + f.suffixList() + "); a file that is there is replaced at the end"
	}
	flags.Outputs(fl, &f.files, usage)
	flags.Format(fl, &f.format, formatNames(f.formats)...)
	flags.Color(fl, &f.color)
	flags.Verbose(fl, &f.verbose, more)
}

func (f *outputFlags) suffixList() string {
	var list []string
	for suffix := range f.suffixes {
		list = append(list, suffix)
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

func formatNames(formats []render.Format) (names []string) {
	for _, f := range formats {
		names = append(names, string(f))
	}
	return names
}

// check finds mistakes before anything is measured, and returns the format of stdout.
func (f *outputFlags) check() (render.Format, error) {
	switch f.color {
	case "auto", "always", "never":
	default:
		return "", usageError(fmt.Errorf("--color %q is none of auto, always, never", f.color), "")
	}
	format := f.formats[0]
	if f.format != "" {
		format = render.Format(f.format)
	}
	if !slices.Contains(f.formats, format) {
		return "", usageError(fmt.Errorf("--format %q is none of %s", f.format, strings.Join(formatNames(f.formats), ", ")), "-o FILE takes "+f.suffixList())
	}
	var err error
	switch {
	case f.showOnly && f.format != "": // there is no stdout: the format is that of the files
		f.Exporter, err = session.NewFormatExporter(f.files, f.format)
		return format, err
	case f.showOnly:
		if i := slices.IndexFunc(f.files, f.isUnknown); i >= 0 {
			return "", usageError(fmt.Errorf("-o %s: no format is known by its suffix", f.files[i]), "use "+f.suffixList()+", or give --format")
		}
	}
	if f.Exporter, err = session.NewExporter(f.files, f.suffixes); err == nil {
		f.Exporter.Page, f.Exporter.OwnDir = writePage, f.ownDir
	}
	return format, err
}

// isUnknown reports whether a file of -o has a suffix that stands for no format.
func (f *outputFlags) isUnknown(path string) bool {
	return path != "-" && f.suffixes[strings.ToLower(filepath.Ext(path))] == ""
}

// options returns those of the stream that the result goes to.
func (f *outputFlags) options(w io.Writer) render.Options {
	o := render.Options{Width: render.DefaultWidth, UTF8: termtext.UTF8Locale(), Verbose: f.verbose, Color: f.color == "always", Select: f.selected}
	file, ok := w.(interface{ Fd() uintptr })
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return o
	}
	if width, _, err := term.GetSize(int(file.Fd())); err == nil && width > 0 {
		o.Width = width
	}
	if f.color == "auto" {
		o.Color = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	}
	return o
}

// result returns what writes a result in a format other than the record.
func (f *outputFlags) result(s *result.Result) session.Render {
	return func(w io.Writer, format string) error {
		b := bufio.NewWriter(w)
		if err := render.Write(b, render.Format(format), s, f.options(w)); err != nil {
			return err
		}
		return b.Flush()
	}
}

// views returns what writes views in a format other than the record: one after another as text,
// Markdown or JSON, and one alone as a picture or a profile.
func (f *outputFlags) views(views []*render.View) session.Render {
	return func(w io.Writer, format string) error {
		if slices.Contains(listingFormats, render.Format(format)) {
			if err := render.WriteViews(w, render.Format(format), views, f.options(w)); err != nil {
				return failed(err, "")
			}
			return nil
		}
		if len(views) != 1 {
			var names []string
			for _, v := range views {
				names = append(names, v.Title)
			}
			return usageError(fmt.Errorf("-o %s: holds one program, and there are %d: %s", f.Path(format), len(views), firstFew(names)), "choose by --bench REGEXP")
		}
		write := views[0].Files[format]
		if write == nil {
			return failed(fmt.Errorf("-o %s: %s has nothing for it", f.Path(format), views[0].Title), "--keep-calls N keeps the order of calls")
		}
		return write(w)
	}
}

// firstFew names the first of many.
func firstFew(names []string) string {
	const most = 5
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// formatOf returns the format of verbs that write one result: the value of the flag, else the
// one that the suffix of -o names, else the first.
func formatOf(flag, value, out string, formats ...string) (string, error) {
	known := strings.Join(formats, ", ")
	switch {
	case value != "" && !slices.Contains(formats, value):
		return "", usageError(fmt.Errorf("%s %q is none of %s", flag, value, known), "")
	case value != "":
		return value, nil
	case out == "" || out == "-":
		return formats[0], nil
	}
	suffix := filepath.Ext(out)
	if suffix == ".txt" {
		suffix = ".text"
	}
	if f := strings.TrimPrefix(suffix, "."); slices.Contains(formats, f) {
		return f, nil
	}
	return "", usageError(fmt.Errorf("-o %s: no format is known by its suffix", out), fmt.Sprintf("give %s: %s", flag, known))
}
