package cli

import (
	"fmt"

	"github.com/spf13/pflag"
)

// outputFlag is -o. A second one must not have the first forgotten: it goes to more, or is
// refused where there is one output.
type outputFlag struct {
	out  *string
	more *[]string
}

// oneOutput registers -o of verbs that write one file.
func oneOutput(fl *pflag.FlagSet, out *string, usage string) {
	fl.VarP(&outputFlag{out: out}, "output", "o", usage)
}

func (f *outputFlag) Set(v string) error {
	switch {
	case *f.out == "":
		*f.out = v
	case f.more != nil:
		*f.more = append(*f.more, v)
	default:
		return fmt.Errorf("it is %s already, and there is one; a record is shown again in any other form", *f.out)
	}
	return nil
}

func (f *outputFlag) String() string {
	if f.out == nil {
		return ""
	}
	return *f.out
}

func (f *outputFlag) Type() string { return "string" }
