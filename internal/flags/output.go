package flags

import (
	"fmt"

	"github.com/spf13/pflag"
)

// outputFlag is -o of verbs that write one file. A second one must not replace the first
// silently: it is refused.
type outputFlag struct{ out *string }

// Output registers -o of verbs that write one file.
func Output(fl *pflag.FlagSet, out *string, usage string) {
	fl.VarP(outputFlag{out}, "output", "o", usage)
}

// Outputs registers -o of verbs that write several files.
func Outputs(fl *pflag.FlagSet, out *[]string, usage string) {
	fl.StringArrayVarP(out, "output", "o", nil, usage+"; repeatable")
}

func (f outputFlag) Set(v string) error {
	if *f.out != "" {
		return fmt.Errorf("it is %s already, and there is one; a record is shown again in any other form", *f.out)
	}
	*f.out = v
	return nil
}

func (f outputFlag) String() string {
	if f.out == nil {
		return ""
	}
	return *f.out
}

func (outputFlag) Type() string { return "string" }
