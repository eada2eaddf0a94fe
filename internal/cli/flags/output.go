package flags

import "github.com/spf13/pflag"

// Output registers -o of verbs that write one file.
func Output(fl *pflag.FlagSet, out *string, usage string) {
	fl.StringVarP(out, "output", "o", "", usage)
	Daily(fl, "output")
}

// Outputs registers -o of verbs that write several files.
func Outputs(fl *pflag.FlagSet, out *[]string, usage string) {
	fl.StringArrayVarP(out, "output", "o", nil, usage+"; repeatable")
	Daily(fl, "output")
}
