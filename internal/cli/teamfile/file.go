package teamfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/result/benchtext"
)

// Name is that of the file, beside go.mod.
const Name = "tare.toml"

// maxSize bounds a file, in bytes: it is read from branches of strangers, too.
const maxSize = 1 << 20

// File is what a file says. A nil File says nothing.
type File struct {
	Path string // as messages name it
	Dir  string // whose file it is: that of go.mod
	Settings
	Bench  []Bench
	Tables map[string]Settings // of TableCI and TableHistory, which count before the settings for all verbs
	Env    []string            // names, or patterns of names, of variables that code measured by tare ci gets although they are secret
}

// Settings are defaults of flags.
type Settings struct {
	Packages []string          // what is measured in the file's directory if no package is named
	Gates    []string          // as of --gate
	Values   map[string]string // by key: those of options of a job, and of keysOf
}

// Bench is what holds for some benchmarks instead of what holds for all.
type Bench struct {
	Match     string `toml:"match"`     // an expression as of --filter
	Threshold Text   `toml:"threshold"` // instead of --threshold
	Gate      string `toml:"gate"`      // as of --gate, without @FILTER; it replaces gates of its kind. "none" replaces all
}

// keyed is a key of a table that stands for a flag of its verb.
type keyed struct{ key, flag string }

// keysOf are the keys of tables besides those of options.
var keysOf = map[string][]keyed{
	TableCI:      {{"against", "against"}, {"selftest", "selftest-for"}, {"lost", "lost"}},
	TableHistory: {{"store", "store"}, {"remote", "remote"}},
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
		return errors.New("is neither a text nor a number")
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

// wrongKind matches an error of package toml about a value that its key does not take.
var wrongKind = regexp.MustCompile(`line (\d+) \(last key "([^"]*)"\): (?:incompatible types|type mismatch)`)

// Parse reads the text of a file, named path in messages. It fails for what is no TOML, for keys that are not known, with
// their line, and for gates and filters that are none. What the values of flags may be, their flags know.
func Parse(text, path string) (*File, error) {
	type lists struct {
		Packages []string `toml:"packages"`
		Gates    []string `toml:"gates"`
	}
	var typed struct { // the keys whose values are not texts or numbers
		lists
		Bench   []Bench `toml:"bench"`
		History lists   `toml:"history"`
		CI      struct {
			lists
			Env []string `toml:"env"`
		} `toml:"ci"`
	}
	all := map[string]any{}
	meta, err := toml.Decode(text, &typed)
	if err == nil {
		_, err = toml.Decode(text, &all)
	}
	if err != nil {
		if p := (toml.ParseError{}); errors.As(err, &p) {
			return nil, exit.Usage(fmt.Errorf("%s:%d: %s", path, p.Position.Line, p.Message), "")
		}
		if m := wrongKind.FindStringSubmatch(err.Error()); m != nil { // what follows are types of Go
			return nil, exit.Usage(fmt.Errorf("%s:%s: %s has a value of the wrong kind", path, m[1], m[2]), "docs/ci.md has a file with all keys")
		}
		return nil, exit.Usage(fmt.Errorf("%s: %s", path, strings.TrimPrefix(err.Error(), "toml: ")), "")
	}
	settings := func(l lists) Settings { return Settings{l.Packages, l.Gates, map[string]string{}} }
	f := &File{Path: path, Settings: settings(typed.lists), Bench: typed.Bench, Env: typed.CI.Env}
	f.Tables = map[string]Settings{TableCI: settings(typed.CI.lists), TableHistory: settings(typed.History)}
	for _, key := range meta.Undecoded() {
		if !isKnown(key) {
			return nil, unknownKey(path, text, key)
		}
		if err := f.take(key, all); err != nil {
			return nil, exit.Usage(fmt.Errorf("%s: %s %w", path, key, err), "")
		}
	}
	return f, f.validate()
}

// take keeps the value of a known key. It fails if the value is neither a text nor a number.
func (f *File) take(key toml.Key, in map[string]any) error {
	to := f.Settings
	if len(key) == 2 {
		in, _ = in[key[0]].(map[string]any)
		to = f.Tables[key[0]]
	}
	var value Text
	err := value.UnmarshalTOML(in[key[len(key)-1]])
	to.Values[key[len(key)-1]] = string(value)
	return err
}

// isKnown reports whether a key stands for a flag.
func isKnown(key toml.Key) bool {
	table := ""
	switch {
	case len(key) == 2 && keysOf[key[0]] != nil:
		table = key[0]
	case len(key) != 1:
		return false
	}
	return slices.Contains(keysIn(table), key[len(key)-1])
}

// keysIn returns the keys of a table, or of the settings for all verbs, that stand for a flag.
func keysIn(table string) (keys []string) {
	for _, o := range new(job.Bench).Options() {
		if o.Key != "" {
			keys = append(keys, o.Key)
		}
	}
	for _, k := range keysOf[table] {
		keys = append(keys, k.key)
	}
	return keys
}

func (f *File) validate() error {
	switch lost := f.Tables[TableCI].Values["lost"]; lost {
	case "", "fail", "pass":
	default:
		return exit.Usage(fmt.Errorf("%s: [ci] lost = %q is neither fail nor pass", f.Path, lost), "leave it out, and the gates of a lost benchmark are not decided")
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
