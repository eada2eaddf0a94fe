package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/session"
)

// showFlags say how a result is shown.
type showFlags struct {
	format  string
	out     string
	more    []string // further -o, of verbs that take several
	several bool
	color   string
	verbose bool
	loads   bool // the formats of load runs are offered too
}

// register adds the flags. records says that -o takes records; without are the
// formats that the command has no use for.
func (f *showFlags) register(fl *pflag.FlagSet, records bool, without ...render.Format) {
	out := "write the result to `FILE` instead of stdout; its suffix names the format"
	if records {
		out = "write records to `FILE` (.jsonl), or the result in the format its suffix names (.json .txt .md .csv)"
	}
	o := &outputFlag{out: &f.out}
	if f.several {
		o.more = &f.more
	}
	fl.VarP(o, "output", "o", out)
	formatFlag(fl, &f.format, f.formatNames(without)...)
	fl.StringVar(&f.color, "color", "auto", "auto, always or never")
	fl.BoolVarP(&f.verbose, "verbose", "v", false, "more columns: spread within and between forks, N, true coverage")
}

func (f *showFlags) formatNames(without []render.Format) (names []string) {
	formats := render.Formats()
	if f.loads {
		formats = slices.Compact(slices.Concat(formats, []render.Format{render.YCSB, render.YCSBJSON}))
	}
	for _, f := range formats {
		if !slices.Contains(without, f) {
			names = append(names, string(f))
		}
	}
	return names
}

// check finds mistakes before anything is measured.
func (f *showFlags) check() (render.Format, error) {
	switch f.color {
	case "auto", "always", "never":
	default:
		return "", usageError(fmt.Errorf("--color %q is none of auto, always, never", f.color), "")
	}
	if f.format == "" {
		return render.Text, nil
	}
	format, err := render.ParseFormat(f.format)
	if f.loads && err != nil {
		format, err = render.ParseLoadFormat(f.format)
	}
	if err != nil {
		return "", usageError(fmt.Errorf("--format: %w", err), "")
	}
	return format, nil
}

// forms are the suffixes of -o for results, and the formats that they name.
var forms = map[string]string{
	".txt": string(render.Text), ".json": string(render.JSON), ".md": string(render.Markdown), ".csv": string(render.CSV),
}

// exporter sorts what -o names.
func (f *showFlags) exporter() (*session.Exporter, error) {
	return session.NewExporter(append([]string{f.out}, f.more...), forms)
}

// options are those of the stream the report goes to.
func (f *showFlags) options(w io.Writer) render.Options {
	o := render.Options{Width: 100, UTF8: utf8Locale(), Verbose: f.verbose, Color: f.color == "always"}
	file, ok := w.(*os.File)
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

// utf8Locale reports whether the locale's encoding is UTF-8, by the rules of
// POSIX: the first of these that is set and not empty counts. With none set,
// as in most containers and CI jobs, UTF-8 is what reads the output.
func utf8Locale() bool {
	for _, k := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(os.Getenv(k)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return true
}

// show prints a summary; recordPath is the file that holds its records.
func (f *showFlags) show(w io.Writer, format render.Format, s *result.Result, recordPath string) error {
	if format == render.JSONL {
		return session.CopyFile(w, recordPath)
	}
	b := bufio.NewWriter(w)
	if err := render.Write(b, format, s, f.options(w)); err != nil {
		return err
	}
	return b.Flush()
}
