package textpage

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/record"
)

func TestRepeat(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"tare", "tare --seed 7f3a"},
		{"tare bench", "tare bench --seed 7f3a"},
		{"tare bench --bench A|B sort", "tare bench --seed 7f3a --bench 'A|B' sort"},
		{"tare bench --seed 1 sort", "tare bench --seed 1 sort"},
		{"tare bench --seed=1 sort", "tare bench --seed=1 sort"},
		{"tare -- bench", "tare --seed 7f3a -- bench"},
		{"tare bench sort -- --seed 1", "tare bench --seed 7f3a sort -- --seed 1"},
		{"tare --color never bench", "tare --seed 7f3a --color never bench"},
	} {
		run := &record.Run{Command: strings.Fields(c.in), Seed: 0x7f3a}
		before := strings.Join(run.Command, " ")
		got := strings.Join(Command(termtext.Charset{UTF8: true}, RepeatArgs(run), 1000), "\n")
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
		if strings.Join(run.Command, " ") != before {
			t.Errorf("%q: the run was changed", c.in)
		}
	}
}

// TestShell lets shells read what was quoted for them.
func TestShell(t *testing.T) {
	args := []string{
		"", "plain", "a b", "it's", `back\slash`, "$HOME", "`date`", "*", "~", "!x", "#c", "größe", "tab\tnew\nline\r",
		"\x1b[0m1", "\xff", "\u202e9", "A=b c", "-n", "--flag", "a'b\x01'c\\",
	}
	for _, shell := range []string{"bash", "zsh"} {
		path, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		for _, utf := range []bool{true, false} {
			for _, n := range []int{20, 1000} {
				lines := Command(termtext.Charset{UTF8: utf}, append([]string{"printf", `%s\0`}, args...), n)
				out, err := exec.Command(path, "-c", strings.Join(lines, "\n")).Output()
				if want := strings.Join(args, "\x00") + "\x00"; err != nil || string(out) != want {
					t.Errorf("%s: %v\n got %q\nwant %q", shell, err, out, want)
				}
			}
		}
	}
}

// TestWithoutOutput: the first word stays, also where nothing else is left.
func TestWithoutOutput(t *testing.T) {
	for command, want := range map[string]string{
		"": "", "tare": "tare", "-o x": "-o x", "tare -o x": "tare", "tare bench -o x --live y .": "tare bench .", "tare time -- -o x": "tare time -- -o x", "--live": "--live",
	} {
		if got := strings.Join(WithoutOutput(strings.Fields(command)), " "); got != want {
			t.Errorf("%s: got %q, want %q", command, got, want)
		}
	}
}
