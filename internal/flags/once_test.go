package flags

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestOnce: of two values of a flag the last counts, which is said, under either of its names;
// of two commands or files the second is refused; a list takes them all.
func TestOnce(t *testing.T) {
	const refused = `it was given before, as "a", and it has one value`
	for line, want := range map[string]string{
		"--vs a":                 "",
		"--vs a --vs a":          "",
		"--vs a --vs b":          refused,
		"--runs 3 --runs 4":      "tare: --runs was given more than once: 4 counts, and 3 does not\n",
		"--runs 3 --forks 4":     "tare: --runs was given more than once: 4 counts, and 3 does not\n",
		"--quick --quick":        "",
		"--quick --quick=false":  "tare: --quick was given more than once: false counts, and true does not\n",
		"-o a -o b --env A=1":    "",
		"--env A=1 --env B=2":    "",
		"--share 5% --share 0.1": "tare: --confidence was given more than once: 0.1 counts, and 5% does not\n",
	} {
		cmd := &cobra.Command{RunE: func(*cobra.Command, []string) error { return nil }, PreRun: PrintNotes, SilenceErrors: true, SilenceUsage: true}
		fl := cmd.Flags()
		fl.String("vs", "", "")
		runs := fl.Int("runs", 1, "")
		Alias(fl, "forks", "runs")
		fl.Bool("quick", false, "")
		var files []string
		Outputs(fl, &files, "")
		fl.StringArray("env", nil, "")
		var share float64
		Confidence(fl, &share, "")
		Alias(fl, "share", "confidence")
		Once(fl)
		var said strings.Builder
		cmd.SetErr(&said)
		cmd.SetArgs(strings.Fields(line))
		err := cmd.Execute()
		switch {
		case want == refused && (err == nil || !strings.Contains(err.Error(), refused)):
			t.Errorf("%s: %v", line, err)
		case want != refused && (err != nil || said.String() != want):
			t.Errorf("%s: %v, %q, want %q", line, err, &said, want)
		case strings.Contains(line, "4") && *runs != 4:
			t.Errorf("%s: %d", line, *runs)
		}
	}
}
