package session

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/exit"
)

// Records is the format of the record file itself.
const Records = "jsonl"

// Page is the format of a page that shows a record and has it inside.
const Page = "html"

// Exporter knows where a result goes besides standard output: the files of -o,
// each in the format that its suffix names. It does not know what formats look
// like: the caller hands in a function that writes them.
type Exporter struct {
	Records string // the file that takes the record; "" for the default place
	Files   []File // the others

	// OwnDir is a directory of tare's own, "" for none: files in it are written by [ReplaceName].
	OwnDir string

	// Page writes the page of the record in a file. It is set by verbs that have a record.
	Page func(w io.Writer, recordPath string) error
}

// File is an output in a format other than the record.
type File struct{ Path, Format string }

// Render writes the result in a format.
type Render func(w io.Writer, format string) error

// NewExporter sorts the files of -o by their suffixes. forms maps suffixes, such
// as ".md" or ".trace.json", to formats; the longest that fits counts. A file
// ending in .jsonl, or without suffix, takes the record. Of an empty name, and
// of -, nothing is kept. It fails for a suffix without a format, a second
// record, a name that is given twice, and a file that cannot be written.
func NewExporter(paths []string, forms map[string]string) (*Exporter, error) {
	e := &Exporter{}
	seen := map[string]bool{}
	for _, path := range paths {
		if path == "" || path == "-" {
			continue
		}
		if seen[filepath.Clean(path)] {
			return nil, exit.Usage(fmt.Errorf("-o %s: is named twice", path), "")
		}
		seen[filepath.Clean(path)] = true
		if err := e.add(path, forms); err != nil {
			return nil, err
		}
	}
	return e, e.checkWritable()
}

// NewFormatExporter has all files of -o take one format, whatever their
// suffixes. It fails for a file that cannot be written.
func NewFormatExporter(paths []string, format string) (*Exporter, error) {
	e := &Exporter{}
	for _, path := range paths {
		if path != "" && path != "-" {
			e.Files = append(e.Files, File{path, format})
		}
	}
	return e, e.checkWritable()
}

func (e *Exporter) checkWritable() error {
	for _, f := range e.Files {
		if err := CheckWritable(f.Path); err != nil {
			return err
		}
	}
	return nil
}

func (e *Exporter) add(path string, forms map[string]string) error {
	name, suffix := strings.ToLower(filepath.Base(path)), ""
	for s := range forms {
		if strings.HasSuffix(name, s) && len(s) > len(suffix) {
			suffix = s
		}
	}
	switch ext := filepath.Ext(name); {
	case suffix != "":
		e.Files = append(e.Files, File{path, forms[suffix]})
	case ext != "" && ext != ".jsonl":
		return exit.Usage(fmt.Errorf("-o %s: no format is known by the suffix %s", path, filepath.Ext(path)), "use .jsonl (records), "+suffixList(forms))
	case isStream(path): // the record is kept, too, because it is read again
		e.Files = append(e.Files, File{path, Records})
	case e.Records != "":
		return exit.Usage(fmt.Errorf("-o %s: the records go to %s already", path, e.Records), "")
	default:
		e.Records = path
	}
	return nil
}

// isStream reports whether -o names a pipe or a device.
func isStream(path string) bool {
	o, err := resolveOutput("-o", path)
	return err == nil && o.stream
}

// suffixList returns ".csv, .json, .md or .txt".
func suffixList(forms map[string]string) string {
	var names []string
	for s := range forms {
		names = append(names, s)
	}
	slices.Sort(names)
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Path returns the file of a format, "" if there is none.
func (e *Exporter) Path(format string) string {
	if i := slices.IndexFunc(e.Files, func(f File) bool { return f.Format == format }); i >= 0 {
		return e.Files[i].Path
	}
	return ""
}

// Take removes the file of a format that the verb writes by itself, and returns
// its name, "" if there is none.
func (e *Exporter) Take(format string) string {
	path := e.Path(format)
	e.Files = slices.DeleteFunc(e.Files, func(f File) bool { return f.Path == path })
	return path
}

// Export writes the files. One that cannot be written does not keep the others
// from it. recordPath is where the record is, for hints.
func (e *Exporter) Export(recordPath string, render Render) error {
	var errs []error
	for _, f := range e.Files {
		errs = append(errs, e.export(f.Path, recordPath, func(w io.Writer) error { return e.render(w, f.Format, recordPath, render) }))
	}
	return errors.Join(errs...)
}

// render writes the result in a format. A copy of a record, and the page of one, are made of its file.
func (e *Exporter) render(w io.Writer, format, recordPath string, render Render) error {
	if format == Records && recordPath != "" {
		return CopyFile(w, recordPath)
	}
	if format == Page && e.Page != nil && recordPath != "" {
		return e.Page(w, recordPath)
	}
	return render(w, format)
}

// export writes a file, whole or not at all. An error of write that knows
// its exit code is returned as it is.
func (e *Exporter) export(path, recordPath string, write func(io.Writer) error) error {
	replace := ReplaceFile
	if e.OwnDir != "" && filepath.Dir(path) == filepath.Clean(e.OwnDir) {
		replace = ReplaceName
	}
	err := replace(path, func(w *os.File) error { return write(w) })
	if err == nil || exit.As(err) != nil {
		return err
	}
	hint := ""
	if recordPath != "" {
		hint = "the records are in " + recordPath
	}
	return exit.Failed(fmt.Errorf("-o %s: %w", path, err), hint)
}

// Write writes the files, and the result to standard output: in format [Records]
// the record itself, in others what render makes of it. One that cannot be
// written does not keep the others from it. An error without an exit code gets a
// hint where the record is.
func (e *Exporter) Write(stdout io.Writer, format, recordPath string, render Render) error {
	err := e.Export(recordPath, render)
	return errors.Join(e.writeStdout(stdout, format, recordPath, render), err)
}

func (e *Exporter) writeStdout(stdout io.Writer, format, recordPath string, render Render) (err error) {
	err = e.render(stdout, format, recordPath, render)
	if err == nil || exit.As(err) != nil {
		return err
	}
	return exit.Failed(err, "the records are in "+recordPath)
}

// Show writes the files, one of which may be a copy of the record. Without files
// it writes to standard output. It is for verbs that show a record again. With
// recordPath "" render writes format [Records], too.
func (e *Exporter) Show(stdout io.Writer, format, recordPath string, render Render) error {
	if e.Records == "" && len(e.Files) == 0 {
		return e.writeStdout(stdout, format, recordPath, render)
	}
	err := e.Export(recordPath, render)
	if e.Records == "" {
		return err
	}
	return errors.Join(err, e.export(e.Records, recordPath, func(w io.Writer) error { return CopyFile(w, recordPath) }))
}

// CheckCopy fails if records that are shown are to be copied, in format [Records] or to a file
// of -o, and cannot be: there are several, or the file is a pipe whose content is read by then.
func (e *Exporter) CheckCopy(format string, paths []string) error {
	what := "--format " + Records
	switch {
	case e.Records != "":
		what = "-o " + e.Records
	case e.Path(Records) != "":
		what = "-o " + e.Path(Records)
	case format != Records:
		return nil
	}
	if len(paths) > 1 {
		return exit.Usage(fmt.Errorf("%s is a copy of one record, and there are %d", what, len(paths)), "name one of them: "+paths[0])
	}
	if paths[0] == "-" {
		return exit.Usage(fmt.Errorf("%s: records from standard input can be read only once", what), "name the file")
	}
	if st, err := os.Stat(paths[0]); err == nil && !st.Mode().IsRegular() {
		return exit.Usage(fmt.Errorf("%s: %s is no regular file, and can be read only once", what, paths[0]), "write what comes through it to a file, and name that")
	}
	return nil
}

// WriteOutput writes a result to the file that -o names, whole or not at all, or
// to standard output where out is empty or -. It is for verbs that write one
// result and no record.
func WriteOutput(out string, stdout io.Writer, write func(io.Writer) error) error {
	if out == "" || out == "-" {
		return write(stdout)
	}
	if err := CheckWritable(out); err != nil {
		return err
	}
	err := ReplaceFile(out, func(w *os.File) error { return write(w) })
	if err == nil || exit.As(err) != nil {
		return err
	}
	return exit.Failed(fmt.Errorf("-o %s: %w", out, err), "")
}
