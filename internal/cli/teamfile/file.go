package teamfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/result/benchtext"
)

// Name is that of the file, beside go.mod.
const Name = "tare.toml"

// maxSize bounds a file, in bytes: it is read from branches of strangers, too.
const maxSize = 1 << 20

// File is what a file says. A nil File says nothing.
type File struct {
	Path string `toml:"-"` // as messages name it
	Dir  string `toml:"-"` // whose file it is: that of go.mod
	Settings
	Bench   []Bench `toml:"bench"`
	CI      CI      `toml:"ci"`
	History History `toml:"history"`
}

// Settings are defaults of flags. Absent ones are "".
type Settings struct {
	Packages   []string `toml:"packages"` // what is measured in the file's directory if no package is named
	Benchmarks Text     `toml:"benchmarks" flag:"bench"`
	Skip       Text     `toml:"skip" flag:"skip"`
	Filter     Text     `toml:"filter" flag:"filter"`
	Tags       Text     `toml:"tags" flag:"tags"`
	GOMAXPROCS Text     `toml:"gomaxprocs" flag:"gomaxprocs"`
	Forks      Text     `toml:"forks" flag:"forks"`
	Warmup     Text     `toml:"warmup" flag:"warmup"`
	Iterations Text     `toml:"iterations" flag:"iterations"`
	Time       Text     `toml:"time" flag:"time"`
	Precision  Text     `toml:"precision" flag:"precision"`
	Budget     Text     `toml:"budget" flag:"budget"`
	Layouts    Text     `toml:"layouts" flag:"layouts"`
	Threshold  Text     `toml:"threshold" flag:"threshold"`
	Test       Text     `toml:"test" flag:"test"`
	Correction Text     `toml:"correction" flag:"correction"`
	Confidence Text     `toml:"confidence" flag:"confidence"`
	Gates      []string `toml:"gates"`
}

// Bench is what holds for some benchmarks instead of what holds for all.
type Bench struct {
	Match     string `toml:"match"`     // an expression as of --filter
	Threshold Text   `toml:"threshold"` // instead of --threshold
	Gate      string `toml:"gate"`      // as of --gate, without @FILTER; it replaces gates of its kind. "none" replaces all
}

// CI is what holds for tare ci besides, and before, the settings for all verbs.
type CI struct {
	Settings
	Base     Text `toml:"base" flag:"base"`
	Selftest Text `toml:"selftest" flag:"selftest-for"`
	Lost     Text `toml:"lost" flag:"lost"` // fail or pass

	Env []string `toml:"env"` // names, or patterns of names, of variables that measured code gets although they are secret
}

// History is what holds for tare history besides, and before, the settings for all verbs.
type History struct {
	Settings
	Store  Text `toml:"store" flag:"store"`
	Remote Text `toml:"remote" flag:"remote"`
}

// Text is the value of a flag, which a file may have as a text or as a number.
type Text string

// UnmarshalTOML implements toml.Unmarshaler. It fails for what is no text and no number.
func (t *Text) UnmarshalTOML(v any) error {
	switch x := v.(type) {
	case string:
		*t = Text(x)
	case int64:
		*t = Text(strconv.FormatInt(x, 10))
	case float64:
		*t = Text(strconv.FormatFloat(x, 'g', -1, 64))
	default:
		return errors.New("neither a text nor a number")
	}
	return nil
}

// Find reads the file of the module that dir is in: beside the nearest go.mod. It returns nil without an error if there is
// no module, or no file.
func Find(dir string) (*File, error) {
	root := ModuleRoot(dir)
	if root == "" {
		return nil, nil
	}
	path := filepath.Join(root, Name)
	st, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && (!st.Mode().IsRegular() || st.Size() > maxSize) {
		return nil, exit.Usage(fmt.Errorf("%s is no regular file of at most 1 MiB", path), "")
	}
	if err != nil {
		return nil, exit.Failed(err, "")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, exit.Failed(err, "")
	}
	f, err := Parse(string(text), path)
	if err == nil {
		f.Dir = root
	}
	return f, err
}

// ModuleRoot returns the directory of the nearest go.mod, at dir or above; "" if there is none.
func ModuleRoot(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	for {
		if st, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && !st.IsDir() {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// Parse reads the text of a file, named path in messages. It fails for what is no TOML, for keys that are not known, with
// their line, and for gates and filters that are none. What the values of flags may be, their flags know.
func Parse(text, path string) (*File, error) {
	f := &File{Path: path}
	meta, err := toml.Decode(text, f)
	if err != nil {
		where := path
		if p := (toml.ParseError{}); errors.As(err, &p) {
			return nil, exit.Usage(fmt.Errorf("%s:%d: %s", path, p.Position.Line, p.Message), "")
		}
		return nil, exit.Usage(fmt.Errorf("%s: %s", where, strings.TrimPrefix(err.Error(), "toml: ")), "")
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, unknownKey(path, text, unknown[0])
	}
	return f, f.validate()
}

func (f *File) validate() error {
	switch f.CI.Lost {
	case "", "fail", "pass":
	default:
		return exit.Usage(fmt.Errorf("%s: [ci] lost = %q is neither fail nor pass", f.Path, f.CI.Lost), "leave it out, and the gates of a lost benchmark are not decided")
	}
	for i, b := range f.Bench {
		where := fmt.Sprintf("%s: [[bench]] %d", f.Path, i+1)
		switch {
		case b.Match == "":
			return exit.Usage(fmt.Errorf("%s has no match", where), "match = '.name:/Encode/'")
		case b.Threshold == "" && b.Gate == "":
			return exit.Usage(fmt.Errorf("%s has neither a threshold nor a gate", where), "")
		case strings.Contains(b.Gate, "@"):
			return exit.Usage(fmt.Errorf("%s: gate %q has a filter beside match", where, b.Gate), "leave out @ and what follows it")
		}
		if _, err := benchtext.NewFilter(b.Match); err != nil {
			return exit.Usage(fmt.Errorf("%s: match: %s", where, strings.TrimPrefix(err.Error(), "--filter ")), "")
		}
		if _, err := b.share(); err != nil {
			return exit.Usage(fmt.Errorf("%s: threshold: %w", where, err), "")
		}
	}
	return nil
}
