package main

import (
	"strings"
	"testing"
)

// TestSource: each family has a file that Go's formatter accepts, and that adds its
// links to those that are known.
func TestSource(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range families() {
		src, err := f.source()
		if err != nil {
			t.Errorf("%s: %v", f.file, err)
		}
		if seen[f.file] {
			t.Errorf("%s is written twice", f.file)
		}
		seen[f.file] = true
		if f.name != "" && !strings.Contains(string(src), "pumps[\""+f.name+"\"] = ") {
			t.Errorf("%s: the link of %s is added nowhere", f.file, f.name)
		}
	}
}
