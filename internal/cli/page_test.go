package cli

import (
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/env"
	"github.com/tarebench/tare/internal/cli/doctor"
)

// TestFindings: what doctor prints keeps to the page and to the characters of the locale.
func TestFindings(t *testing.T) {
	found := []env.Finding{
		{Level: env.OK, Name: "clock", Text: "tsc, 22 ns per read"},
		{Level: env.Warn, Name: "processes", Text: "others kept 1.8 CPUs busy " + strings.Repeat("and more ", 12), Advice: "measure at a quieter time"},
	}
	for locale, want := range map[string]string{"C.UTF-8": "→ measure", "C": "-> measure"} {
		t.Setenv("LC_ALL", locale)
		var b strings.Builder
		if err := (&doctor.Report{Machine: env.Machine{OS: "linux", Arch: "amd64", Cores: 2}, Findings: found}).WriteText(&b, newPage(&b)); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s: no %q in\n%s", locale, want, b.String())
		}
		for line := range strings.Lines(b.String()) {
			isASCII := strings.IndexFunc(line, func(r rune) bool { return r > '~' }) < 0
			if len([]rune(line)) > 101 || locale == "C" && !isASCII {
				t.Errorf("%s: %q", locale, line)
			}
		}
	}
	var b strings.Builder
	if err := writeRows(&b, [][]string{{"db", "bolt", "an embedded tree"}}); err != nil || b.String() != "db  bolt   an embedded tree\n" {
		t.Errorf("%q", b.String())
	}
}
