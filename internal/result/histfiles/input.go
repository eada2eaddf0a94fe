package histfiles

import (
	"io"
	"slices"

	"github.com/tarebench/tare/hist"
)

// Config says what is read. The zero value reads nothing.
type Config struct {
	Files []string // paths; - is Stdin
	Stdin io.Reader
	Tags  []string // patterns in which * stands for any text; none select every tag
	Range Range
	Unit  int64             // of the values of the files, in ns; 0 is 1
	Warn  func(text string) // called for lines that were skipped; nil ignores them

	KeepOthers bool // a file without any interval is left out, see [Input.LeftOut]; merging ignores this
}

// Input reads the selected intervals of several files, one file after the other.
type Input struct {
	Config
	kept  int   // selected intervals of all files
	empty error // why a file has no selected interval

	leftOut error // of the first file that was

	unselected func(src *source, i hist.Interval) error // nil, or called for intervals in range whose tag was not selected
}

// Open returns the input. It opens no file before the first of its intervals is needed.
func Open(c Config) *Input {
	c.Unit = max(c.Unit, 1)
	if c.Warn == nil {
		c.Warn = func(string) {}
	}
	return &Input{Config: c}
}

// each calls f for each selected interval, file by file.
func (in *Input) each(f func(src *source, i hist.Interval) error) error {
	for n := range in.Files {
		src, err := in.source(n)
		if err != nil {
			return err
		}
		if err := src.each(f); err != nil && !in.leaveOut(err) {
			return err
		}
	}
	if err := in.end(); err != io.EOF {
		return err
	}
	return nil
}

// end is called after the last interval of the last file. It returns io.EOF, or an error
// if nothing of any file was selected.
func (in *Input) end() error {
	switch {
	case in.kept == 0 && in.leftOut != nil:
		return in.leftOut
	case in.kept == 0 && in.empty != nil:
		return in.empty
	}
	return io.EOF
}

// LeftOut returns the error of the first file that was left out because it has no interval, or nil.
func (in *Input) LeftOut() error { return in.leftOut }

// UsesStdinTwice reports whether the files name standard input more than once.
func UsesStdinTwice(files []string) bool {
	n := slices.Index(files, "-")
	return n >= 0 && slices.Contains(files[n+1:], "-")
}
