package flags

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
)

// once is the value of a flag that has one. Where a second value may be what an alias or a
// script is overridden with, the last counts, and [PrintReplaced] says so. Where both can only
// be meant together, the second is refused.
type once struct {
	pflag.Value
	name     string
	refuse   bool
	given    string
	was      bool
	replaced []string
}

// refusedTwice are flags whose second value is most likely not meant to replace the first.
var refusedTwice = []string{"output", "resume"}

func (o *once) Set(v string) error {
	switch {
	case o.was && v == o.given:
		return nil
	case o.was && o.refuse:
		return fmt.Errorf("it was given before, as %q, and it has one value", redact.Value(o.name, o.given))
	case o.was:
		o.replaced = append(o.replaced, o.given)
	}
	o.was, o.given = true, v
	return o.Value.Set(v)
}

// Once has no flag that takes one value drop it silently for a second one. Flags that are
// repeatable take lists. It is called when all flags are registered.
func Once(fl *pflag.FlagSet) {
	fl.VisitAll(func(f *pflag.Flag) {
		if _, list := f.Value.(pflag.SliceValue); list {
			return
		}
		if _, other := f.Value.(*otherName); other { // sets the flag that counts
			return
		}
		f.Value = &once{Value: f.Value, name: f.Name, refuse: slices.Contains(refusedTwice, f.Name)}
	})
}

// PrintReplaced prints a line on stderr for each value that another one replaced.
func PrintReplaced(cmd *cobra.Command) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if o, ok := f.Value.(*once); ok {
			for _, v := range o.replaced {
				text := fmt.Sprintf("tare: --%s was given more than once: %s counts, and %s does not", f.Name, redact.Value(f.Name, o.given), redact.Value(f.Name, v))
				fmt.Fprintln(cmd.ErrOrStderr(), exit.Shown(text))
			}
		}
	})
}
