package cli

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/cli/teamfile"
	"github.com/tarebench/tare/record"
)

// teamFlags say whether the team's file is read, and hold what it said.
type teamFlags struct {
	none, show bool
	table      string         // of the file that is read before what is for all verbs
	file       *teamfile.File // nil: there is none
	origins    []teamfile.Origin
}

func (f *teamFlags) register(fl *pflag.FlagSet) { flags.TeamFile(fl, &f.none, &f.show) }

// apply gives flags that were not given the values of the environment and of the team's file, unless skip reports
// true for a flag.
func (f *teamFlags) apply(cmd *cobra.Command, skip func(flag string) bool) (err error) {
	if f.none {
		f.origins, err = f.file.Apply(cmd.Flags(), f.table, func(string) (string, bool) { return "", false }, nil)
		return err
	}
	if f.file == nil {
		if f.file, err = teamfile.Find("."); err != nil {
			return err
		}
	}
	f.origins, err = f.file.Apply(cmd.Flags(), f.table, os.LookupEnv, skip)
	return err
}

// packages returns what is measured if no package is named: what the file says for this directory, else the package
// in it.
func (f *teamFlags) packages() []string {
	if list := f.file.PackagesIn(".", f.table); len(list) > 0 {
		return list
	}
	return []string{"."}
}

// given reports whether a flag that the file may set was typed.
func (f *teamFlags) given(flag string) bool {
	return slices.ContainsFunc(f.origins, func(o teamfile.Origin) bool { return o.Flag == flag && o.From == teamfile.FromFlag })
}

// fromFile reports whether a flag has its value from the file.
func (f *teamFlags) fromFile(flag string) bool {
	return f.file != nil && slices.ContainsFunc(f.origins, func(o teamfile.Origin) bool { return o.Flag == flag && strings.HasPrefix(o.From, f.file.Path) })
}

// thresholds returns the changes that do not matter for single benchmarks. A --threshold that was given is for all.
func (f *teamFlags) thresholds() func(*record.Case) float64 {
	if f.given("threshold") {
		return nil
	}
	return f.file.Thresholds()
}

// print prints the values of flags, and where they came from. What was not set may follow from another flag.
func (f *teamFlags) print(s streams, fl *pflag.FlagSet) error {
	for i := range f.origins {
		if o := &f.origins[i]; o.From == teamfile.FromDefault {
			if now := fl.Lookup(o.Flag).Value.String(); now != o.Value && now != "[]" {
				o.Value, o.From = now, "follows from another flag"
			}
		}
	}
	rows := teamfile.Columns(f.origins)
	for _, row := range rows {
		for i := range row {
			row[i] = redact.Text(row[i])
		}
	}
	return writeRows(s.out, rows)
}

// withSides are flags that mean nothing without sides to compare.
var withSides = []string{"gate", "threshold", "correction"}

// skipWithoutSides reports whether a flag means nothing because there are no sides.
func (f *benchFlags) skipWithoutSides(flag string) bool {
	return !f.compares() && slices.Contains(withSides, flag)
}
