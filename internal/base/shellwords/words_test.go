package shellwords

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	for line, want := range map[string][]string{
		``:                              nil,
		"  \t\n":                        nil,
		`a b  c`:                        {"a", "b", "c"},
		`./sort 'two words' x"y z"w`:    {"./sort", "two words", "xy zw"},
		`'' ""`:                         {"", ""},
		`a\ b \\ \'`:                    {"a b", `\`, `'`},
		`"\"\$\\\x"`:                    {`"$\\x`},
		`'$HOME; * \ "'`:                {`$HOME; * \ "`},
		"a\\\nb \"c\\\nd\"":             {"ab", "cd"},
		`a#b a~b`:                       {"a#b", "a~b"},
		`--x=~/y`:                       {"--x=~/y"},
		"grüße '日本'":                    {"grüße", "日本"},
		`{a,b} a=b ! ] -- 'it'\''s ok'`: {"{a,b}", "a=b", "!", "]", "--", "it's ok"},
	} {
		got, err := Split(line)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v, want %q", line, got, err, want)
		}
	}
	for _, line := range []string{`a 'b`, `a "b`, `a\`, `a | b`, `a;b`, `$x`, `"$x"`, "`a`", "\"`a`\"", `*.go`, `a > b`, `a & b`, `(a)`, `~/x`, `a #b`, `x[1]`, `"a\`} {
		if got, err := Split(line); err == nil {
			t.Errorf("%s: %q", line, got)
		}
	}
}

// FuzzSplit: what Join writes is read again, by us and by the shell.
func FuzzSplit(f *testing.F) {
	for _, s := range []string{"a b", "it's", "$x\x00`*", "\n\\", "", "\x00", "~#\r"} {
		f.Add(s, "-c")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		got, err := Split(Join([]string{a, b}))
		if err != nil || !slices.Equal(got, []string{a, b}) {
			t.Errorf("%q, %q: %q, %v", a, b, got, err)
		}
		if words, err := Split(a); err == nil { // any line that is one
			again, err := Split(Join(words))
			if err != nil || !slices.Equal(again, words) {
				t.Errorf("%q: %q, then %q, %v", a, words, again, err)
			}
		}
	})
}

// TestShellAgrees: sh splits as we do.
func TestShellAgrees(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	for _, line := range []string{`a 'b c' "d \" e" f\ g '' h`, `x"y"'z' -- "a\b"`, Join([]string{"it's", "$HOME", "a\nb", `\`, "*", ""})} {
		out, err := exec.Command(sh, "-c", `printf '<%s>\n' `+line).Output()
		if err != nil {
			t.Fatal(err)
		}
		words, err := Split(line)
		if want := "<" + strings.Join(words, ">\n<") + ">\n"; err != nil || string(out) != want {
			t.Errorf("%s: sh reads %q, we %q, %v", line, out, want, err)
		}
	}
}
