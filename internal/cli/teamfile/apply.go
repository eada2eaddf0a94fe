package teamfile

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/job"
)

// Tables of a file that a verb reads before the settings for all verbs.
const (
	TableCI      = "ci"
	TableHistory = "history"
)

// Origin says where the value of a flag came from.
type Origin struct{ Flag, Value, From string }

// Sources of values that are in no file and no variable.
const (
	FromFlag    = "flag"
	FromDefault = "default"
)

// Apply gives flags that were not given the values of the environment (TARE_FORKS for --forks), and then those of a table
// of the file and of its settings for all verbs. Flags that the verb does not have are passed over, and so are those for
// which skip, unless it is nil, reports true. The file may be nil. Apply returns where the values of all flags that a file
// may set came from. It fails for a value that its flag refuses.
func (f *File) Apply(fl *pflag.FlagSet, table string, env func(string) (string, bool), skip func(flag string) bool) ([]Origin, error) {
	given := map[string]bool{}
	fl.Visit(func(x *pflag.Flag) { given[x.Name] = true })
	options := new(job.Bench).Options()
	moot := func(flag string) bool {
		return skip != nil && skip(flag) || slices.ContainsFunc(options, func(o job.Option) bool { return given[o.Name] && slices.Contains(o.Overrules, flag) })
	}
	var out []Origin
	for _, s := range f.settings(options, table) {
		x := fl.Lookup(s.flag)
		if x == nil {
			continue
		}
		if old := oldVariable(s.flag, env); old != "" {
			return nil, exit.Usage(fmt.Errorf("%s is %s now", old, Variable(s.flag)), "set that one instead")
		}
		o := Origin{s.flag, "", FromDefault}
		switch variable := Variable(s.flag); {
		case given[s.flag]:
			o.From = FromFlag
		case moot(s.flag):
		default:
			if value, ok := env(variable); ok && value != "" && s.flag != "gate" {
				s.values, s.from = []string{value}, variable
			}
			for _, v := range s.values {
				redact.AddArgs([]string{"--" + s.flag + "=" + v})
				if err := fl.Set(s.flag, v); err != nil {
					return nil, exit.Usage(fmt.Errorf("%s: %w", s.from, flags.Invalid(x, v, cmp.Or(errors.Unwrap(err), err))), "")
				}
				o.From = s.from
			}
		}
		o.Value = x.Value.String()
		if list, ok := x.Value.(pflag.SliceValue); ok {
			o.Value = strings.Join(list.GetSlice(), " ")
		}
		out = append(out, o)
	}
	return out, nil
}

// oldVariable returns the variable by the name that a flag had, if it is set.
func oldVariable(flag string, env func(string) (string, bool)) string {
	for old, now := range flags.Old {
		if value, ok := env(Variable(old)); ok && value != "" && slices.Contains(now, flag) {
			return Variable(old)
		}
	}
	return ""
}

// Variable returns the variable of the environment for a flag.
func Variable(flag string) string {
	return "TARE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// setting is the values of a flag.
type setting struct {
	flag   string
	values []string
	from   string
}

// settings returns those of all flags that a file may set: options in the order of their table, then flags of a verb. Those that
// the file does not set have no values.
func (f *File) settings(options []job.Option, table string) []setting {
	if f == nil {
		f = &File{}
	}
	own := f.Tables[table]
	var out []setting
	add := func(flag, key string) {
		s := setting{flag: flag, from: f.Path}
		value := f.Values[key]
		if v, ok := own.Values[key]; ok {
			value, s.from = v, f.Path+" ["+table+"]"
		}
		if value != "" {
			s.values = []string{value}
		}
		out = append(out, s)
	}
	for _, o := range options {
		if o.Key != "" {
			add(o.Name, o.Key)
		}
	}
	for _, k := range keysOf[table] {
		add(k.flag, k.key)
	}
	gates := own.Gates
	if len(gates) == 0 {
		gates = f.Gates
	}
	return append(out, setting{"gate", f.gates(gates), f.Path})
}

// PackagesIn returns what is measured in a directory if no package is named: what the file says, if the directory is that
// of the file, else nothing.
func (f *File) PackagesIn(dir, table string) []string {
	if f == nil {
		return nil
	}
	abs, err := filepath.Abs(dir)
	if err != nil || abs != f.Dir {
		return nil
	}
	if own := f.Tables[table].Packages; len(own) > 0 {
		return own
	}
	return f.Packages
}

// Columns returns origins as rows of a table for people, with titles.
func Columns(origins []Origin) [][]string {
	rows := [][]string{{"flag", "value", "from"}}
	for _, o := range origins {
		rows = append(rows, []string{"--" + o.Flag, cmp.Or(o.Value, "–"), o.From})
	}
	return rows
}
