package flags

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestRename: an old name sets the flag of the new one, whatever its type, is not
// in the help, and says what the new one is.
func TestRename(t *testing.T) {
	var include []string
	var wall bool
	cmd := &cobra.Command{Use: "x", Run: func(*cobra.Command, []string) {}, PersistentPreRun: PrintNotes}
	fl := cmd.Flags()
	fl.StringArrayVar(&include, "include", nil, "functions")
	fl.BoolVar(&wall, "wall", false, "by the clock")
	Rename(fl, "match", "include")
	Rename(fl, "clock", "wall")
	var stdout, stderr strings.Builder
	cmd.SetOut(&stdout)
	cmd.SetErr(&stderr)
	cmd.SetArgs([]string{"--match", "a", "--include=b", "--clock"})
	if err := cmd.Execute(); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(include, []string{"a", "b"}) || !wall || !fl.Changed("include") || !fl.Changed("wall") {
		t.Errorf("%q, %v", include, wall)
	}
	if want := "tare: --clock is now called --wall\ntare: --match is now called --include\n"; stderr.String() != want || stdout.Len() > 0 {
		t.Errorf("%q, %q", stderr.String(), stdout.String())
	}
	if usage := fl.FlagUsages(); strings.Contains(usage, "match") {
		t.Error(usage)
	}
}
