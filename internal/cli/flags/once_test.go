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
		"--resume a":            "",
		"--resume a --resume a": "",

		"--db redis://:SECRET@h --db mock": "tare: --db was given more than once: mock counts, and redis://:***@h does not\n",
		"--db h\x1b --db mock":             "tare: --db was given more than once: mock counts, and h\\x1b does not\n",
		"--token SECRET --token S":         "tare: --token was given more than once: *** counts, and *** does not\n",
		"--number redis://:SECRET@h":       `--number "redis://:***@h" is not a whole number`,

		"--resume a --resume b":  refused,
		"--runs 3 --runs 4":      "tare: --runs was given more than once: 4 counts, and 3 does not\n",
		"--runs 3 --forks 4":     "tare: --runs was given more than once: 4 counts, and 3 does not\n",
		"--quick --quick":        "",
		"--quick --quick=false":  "tare: --quick was given more than once: false counts, and true does not\n",
		"-o a -o b --env A=1":    "",
		"--env A=1 --env B=2":    "",
		"--share 5% --share 0.1": "tare: --confidence was given more than once: 0.1 counts, and 5% does not\n",
	} {
		cmd := &cobra.Command{RunE: func(*cobra.Command, []string) error { return nil }, PreRun: func(cmd *cobra.Command, _ []string) { PrintReplaced(cmd) }, SilenceErrors: true, SilenceUsage: true}
		fl := cmd.Flags()
		fl.String("resume", "", "")
		fl.String("db", "", "")
		fl.String("token", "", "")
		fl.Int("number", 0, "")
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
		cmd.SetFlagErrorFunc(Error)
		cmd.SetArgs(words(line))
		err := cmd.Execute()
		switch {
		case want == refused && (err == nil || !strings.Contains(err.Error(), refused)):
			t.Errorf("%s: %v", line, err)
		case strings.HasPrefix(want, "--number") && (err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "SECRET")):
			t.Errorf("%s: %v, want %s", line, err, want)
		case want != refused && !strings.HasPrefix(want, "--number") && (err != nil || said.String() != want):
			t.Errorf("%s: %v, %q, want %q", line, err, &said, want)
		case strings.Contains(line, "4") && *runs != 4:
			t.Errorf("%s: %d", line, *runs)
		}
	}
}

// words splits a line at blanks that are not between apostrophes.
func words(line string) (out []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			out = append(out, part)
			continue
		}
		out = append(out, strings.Fields(part)...)
	}
	return out
}
