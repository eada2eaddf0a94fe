package script

import (
	"crypto/sha256"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestUPlot: the files of uPlot are those of its release.
func TestUPlot(t *testing.T) {
	text, err := os.ReadFile("uplot/README.md")
	if err != nil {
		t.Fatal(err)
	}
	sums := regexp.MustCompile(`(?m)^ {4}([0-9a-f]{64})  (\S+)$`).FindAllSubmatch(text, -1)
	if len(sums) != 2 {
		t.Fatalf("%d sums in its README", len(sums))
	}
	for _, m := range sums {
		data, err := os.ReadFile("uplot/" + string(m[2]))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(data)); got != string(m[1]) {
			t.Errorf("%s has the sum %s", m[2], got)
		}
	}
	js, css := Charts()
	if strings.Contains(js+css, "://") || !strings.Contains(js, "var uPlot=") {
		t.Error("the script of charts has an address, or no uPlot")
	}
}

// TestNames: modules that are joined have no name twice.
func TestNames(t *testing.T) {
	declared := regexp.MustCompile(`(?m)^(?:async )?(?:function|const|let|class) (\w+)`)
	for _, modules := range [][]string{Page, Live} {
		seen := map[string]bool{}
		for _, m := range declared.FindAllStringSubmatch(Join(modules...), -1) {
			if seen[m[1]] {
				t.Errorf("%s is declared twice", m[1])
			}
			seen[m[1]] = true
		}
		if !seen["addOverTime"] {
			t.Errorf("found %d declarations", len(seen))
		}
	}
}
