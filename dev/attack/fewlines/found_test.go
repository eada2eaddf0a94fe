package fewlines_test

import (
	"strings"
	"testing"
)

// foundLines are what TestFewLines once found, as small as it made it.
var foundLines = []struct{ what, lines string }{
	{"a load run of two sides has a phase that is the window of none", `
		{"k":"run","v":1,"kind":"load","sides":[{"name":"old"},{"name":"new"}]}
		{"k":"load","phase":"run","final":true,"window":{"side":"old","pair":1}}
		{"k":"load","phase":"run","final":true}`},
	{"a final line without a window, before the windows", `
		{"k":"run","v":1,"kind":"load","sides":[{"name":"old"},{"name":"new"}]}
		{"k":"load","phase":"run","final":true}
		{"k":"load","phase":"run","final":true,"window":{"side":"new","pair":1}}`},
	{"windows are of sides that the run does not have", `
		{"k":"run","v":1,"kind":"load"}
		{"k":"load","phase":"run","final":true,"window":{"side":"old","pair":1}}`},
	{"the command line is a flag of output alone", `{"k":"run","v":1,"command":["-o",""]}`},
	{"the command line is two words that do not belong to the run", `{"k":"run","v":1,"command":["--live","x","y"]}`},
	{"the only figure is the smallest number that there is: the step of an axis was 0, and its ticks took all memory", `
		{"k":"run","v":1}
		{"k":"case","id":1,"name":"B"}
		{"k":"sample","fork":1,"phase":"measure","ops":1,"v":{"B/op":5e-324}}
		{"k":"fork","id":1,"case":1,"purpose":"timing","state":"ok"}`},
}

// TestFoundLines: what was found once is shown in all ways.
func TestFoundLines(t *testing.T) {
	s := newFewLines(t)
	for _, x := range foundLines {
		file := []byte(strings.ReplaceAll(strings.TrimSpace(x.lines), "\t", "") + "\n")
		if bad := s.try(nil, file); bad != "" {
			t.Errorf("%s: %s", x.what, bad)
			continue
		}
		for _, group := range s.groups[:8] {
			if bad := s.try(group, file); bad != "" {
				t.Errorf("%s: %s", x.what, bad)
			}
		}
	}
}
