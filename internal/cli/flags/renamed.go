package flags

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Annotations of a flag's other name that hold the name that counts.
const (
	renamedTo = "tare_renamed_to"
	aliasOf   = "tare_alias_of"
)

// otherName is the value of another name: it sets the flag that counts.
type otherName struct {
	pflag.Value // of the flag that counts
	flags       *pflag.FlagSet
	name        string // of the flag that counts
}

func (f *otherName) Set(v string) error { return f.flags.Set(f.name, v) }

// Alias adds a second name for a flag, which stays. It is hidden from help: the usage of the
// flag names it. A use of it counts as a use of the flag, which must be registered first.
func Alias(fl *pflag.FlagSet, alias, name string) { addName(fl, alias, name, aliasOf) }

// Rename keeps the old name of a flag working for one release. It is hidden from help. A use
// of it counts as a use of the new name, and [PrintNotes] prints one line that says so. The
// new name must be registered first.
func Rename(fl *pflag.FlagSet, old, name string) { addName(fl, old, name, renamedTo) }

func addName(fl *pflag.FlagSet, other, name, why string) {
	flag := fl.Lookup(name)
	fl.AddFlag(&pflag.Flag{
		Name: other, Value: &otherName{flag.Value, fl, name}, DefValue: flag.DefValue, NoOptDefVal: flag.NoOptDefVal, Hidden: true,
		Usage: "another name of --" + name, Annotations: map[string][]string{why: {name}},
	})
}

// PrintNotes prints a line on stderr for each old name that was used, and for each value that
// another one replaced.
func PrintNotes(cmd *cobra.Command, _ []string) {
	PrintReplaced(cmd)
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if name := f.Annotations[renamedTo]; len(name) > 0 {
			fmt.Fprintf(cmd.ErrOrStderr(), "tare: --%s is now called --%s\n", f.Name, name[0])
		}
	})
}

// Given returns the names of the flags that were given, as --name, without those of except.
// Other names of a flag are not listed beside it.
func Given(fl *pflag.FlagSet, except ...string) (names []string) {
	skip := map[string]bool{}
	for _, name := range except {
		skip[name] = true
	}
	fl.Visit(func(f *pflag.Flag) {
		if f.Annotations[renamedTo] == nil && f.Annotations[aliasOf] == nil && !skip[f.Name] {
			names = append(names, "--"+f.Name)
		}
	})
	return names
}
