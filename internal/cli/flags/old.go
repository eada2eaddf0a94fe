package flags

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Old maps the former name of a flag to the flags that do the same now. An error for a former name says the new one, also
// for keys of tare.toml and variables of the environment. Of several flags, the error names the first that the verb has.
var Old = map[string][]string{
	"base":        {"against"},
	"compare":     {"against", "side"},
	"cpu":         {"cpu-time"},
	"every":       {"interval"},
	"from":        {"show"},
	"interval":    {"status-interval", "sample-interval"},
	"length":      {"duration"},
	"match":       {"include"},
	"path":        {"keep-calls", "show-paths"},
	"sitting":     {"sequence"},
	"skip":        {"exclude"},
	"steps":       {"show-calls"},
	"to":          {"format"},
	"trace-match": {"include"},
	"trace-skip":  {"exclude"},
	"vs":          {"against"},
	"warmup":      {"warmup-duration"},
	"window":      {"duration"},
}

// OldVerbs maps the path of a former verb to the text that says what to type now.
var OldVerbs = map[string]string{
	"tare hist percentiles": "hist percentiles is hist now",
	"tare load search":      "load search is load --search SLO now",
	"tare load sweep":       "load sweep is load --rates LIST now",
}

// oldHint returns what to type instead of a former flag, "" if name was never a flag of the verb.
func oldHint(cmd *cobra.Command, name string) string {
	for _, now := range Old[name] {
		if cmd.Flags().Lookup(now) != nil {
			return "--" + name + " is --" + now + " now"
		}
	}
	return ""
}

// aliasOf is an annotation of a flag's other name that holds the name that counts.
const aliasOf = "tare_alias_of"

// otherName is the value of another name: it sets the flag that counts.
type otherName struct {
	pflag.Value // of the flag that counts
	flags       *pflag.FlagSet
	name        string // of the flag that counts
}

func (f *otherName) Set(v string) error { return f.flags.Set(f.name, v) }

// Alias adds a second name for a flag. It is hidden from help: the usage of the flag names it. A use of it counts as a use
// of the flag, which must be registered first.
func Alias(fl *pflag.FlagSet, alias, name string) {
	flag := fl.Lookup(name)
	fl.AddFlag(&pflag.Flag{
		Name: alias, Value: &otherName{flag.Value, fl, name}, DefValue: flag.DefValue, NoOptDefVal: flag.NoOptDefVal, Hidden: true,
		Usage: "another name of --" + name, Annotations: map[string][]string{aliasOf: {name}},
	})
}

// Given returns the names of the flags that were given, as --name, without those of except.
// An alias is not listed in addition to the flag that it sets.
func Given(fl *pflag.FlagSet, except ...string) (names []string) {
	skip := map[string]bool{}
	for _, name := range except {
		skip[name] = true
	}
	fl.Visit(func(f *pflag.Flag) {
		if f.Annotations[aliasOf] == nil && !skip[f.Name] {
			names = append(names, "--"+f.Name)
		}
	})
	return names
}
