package job

import "slices"

// Option is one way to set one field: the flag --NAME, completion, and a row of the help; of benchmarks also the
// variable TARE_NAME and the key of tare.toml.
type Option struct {
	Name    string
	Short   string // one letter: -p; "": none
	Value   Value  // the field
	Group   string // heading of the help text
	On      Verbs  // that have the option
	Daily   Verbs  // whose short help shows it
	Key     string // of tare.toml, which gives it a default; "": none
	Words   []string
	Resumed bool // a run that is resumed may be given another value

	// Overrules are options that take nothing from a variable or a file where this one is given: a given --quick says
	// how many forks there are.
	Overrules []string

	Help string
}

// Verbs is a set of verbs that measure.
type Verbs uint32

// The verbs, by their names.
const (
	OnBench Verbs = 1 << iota
	OnCI
	OnAsm
	OnBisect
	OnHistory // history run
	OnConfirm // history confirm
	OnWhy
	OnSelftest
	OnLoad
	OnTime
	OnTrace
	OnSample
	OnContrast

	// onAll are the verbs that measure benchmarks.
	onAll = OnBench | OnCI | OnAsm | OnBisect | OnHistory | OnConfirm | OnWhy | OnSelftest
)

// Of returns the options that a verb has, in the order of the table.
func Of(options []Option, v Verbs) []Option {
	return slices.DeleteFunc(slices.Clone(options), func(o Option) bool { return o.On&v == 0 })
}

// Resumed returns the names of options that a run that is resumed may be given.
func Resumed(options []Option) (names []string) {
	for _, o := range options {
		if o.Resumed {
			names = append(names, o.Name)
		}
	}
	return names
}

// Typed returns the flags, as they are typed, that set some options to the values that they have.
func Typed(options []Option, names ...string) (args []string) {
	for _, o := range options {
		if !slices.Contains(names, o.Name) {
			continue
		}
		values := []string{o.Value.String()}
		if list, ok := o.Value.(List); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			if v != "" {
				args = append(args, "--"+o.Name, v)
			}
		}
	}
	return args
}

// Given are the names of options that somebody set, by a flag, a variable or a file.
type Given map[string]bool

func (g Given) any(names ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return g[n] })
}

// Headings of help texts.
const (
	groupWhat      = "What to measure"
	groupLength    = "How long"
	groupLoad      = "Load"
	groupSides     = "Sides and verdicts"
	groupRun       = "The run"
	groupProfilers = "Profilers"
)
