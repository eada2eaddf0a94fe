package cli

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// renamedTo is the annotation of a flag's old name that holds the new one.
const renamedTo = "tare_renamed_to"

// renamedFlag is the value of an old name: it sets the flag of the new name.
type renamedFlag struct {
	pflag.Value // of the new name
	flags       *pflag.FlagSet
	name        string // the new one
}

func (f *renamedFlag) Set(v string) error { return f.flags.Set(f.name, v) }

// deprecateFlag keeps the old name of a flag working for one release. The old name is hidden
// from help. A use of it counts as a use of the new name, and prints one line that says so.
// The new name must be registered first.
func deprecateFlag(fl *pflag.FlagSet, old, name string) {
	flag := fl.Lookup(name)
	fl.AddFlag(&pflag.Flag{
		Name: old, Value: &renamedFlag{flag.Value, fl, name}, DefValue: flag.DefValue, NoOptDefVal: flag.NoOptDefVal, Hidden: true,
		Usage: "old name of --" + name, Annotations: map[string][]string{renamedTo: {name}},
	})
}

// printDeprecated prints a line on stderr for each old name that was used.
func printDeprecated(cmd *cobra.Command, _ []string) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if name := f.Annotations[renamedTo]; len(name) > 0 {
			fmt.Fprintf(cmd.ErrOrStderr(), "tare: --%s is now called --%s\n", f.Name, name[0])
		}
	})
}
