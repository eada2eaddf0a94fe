package flags

import (
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/measure/job"
)

// Job registers the options of a job that a verb has. The defaults are the values that the fields have.
func Job(fl *pflag.FlagSet, options []job.Option, verb job.Verbs) {
	for _, o := range job.Of(options, verb) {
		f := fl.VarPF(o.Value, o.Name, o.Short, o.Help)
		if o.Value.Type() == "bool" {
			f.NoOptDefVal = "true"
		}
		if len(o.Words) > 0 {
			Offer(fl, o.Name, o.Words...)
		}
		if o.Daily&verb != 0 {
			Daily(fl, o.Name)
		}
		if o.Name == "gomaxprocs" {
			Alias(fl, "cpu", o.Name)
		}
	}
}

// Describe gives a flag another description, where a verb says more about it.
func Describe(fl *pflag.FlagSet, name, usage string) { fl.Lookup(name).Usage = usage }

// GivenTo returns the options of a job that were given.
func GivenTo(fl *pflag.FlagSet) job.Given {
	given := job.Given{}
	fl.Visit(func(f *pflag.Flag) { given[f.Name] = true })
	return given
}
