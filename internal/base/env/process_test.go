package env

import (
	"strings"
	"testing"
	"time"
)

// procLine is a line of /proc/PID/stat with what the parser looks at.
func procLine(name, user, sys, start string) string {
	return "7 (" + name + ") S 1 7 7 0 -1 0 1 2 3 4 " + user + " " + sys + " 0 0 20 0 1 0 " + start + " 1000 10"
}

func TestParseProcess(t *testing.T) {
	tests := []struct {
		name string
		text string
		want process
		ok   bool
	}{
		{"usual", procLine("bash", "10", "5", "99"), process{"bash", 15, 99}, true},
		{"parentheses", procLine("a) S 1 (b", "10", "5", "99"), process{"a) S 1 (b", 15, 99}, true},
		{"escape", procLine("x\n\x1b[31m", "1", "0", "9"), process{"x ?[31m", 1, 9}, true},
		{"no name", procLine("", "1", "0", "9"), process{"", 1, 9}, true},
		{"long name", procLine(strings.Repeat("k", 80), "1", "0", "9"), process{strings.Repeat("k", 63), 1, 9}, true},
		{"negative", procLine("x", "-1", "0", "9"), process{}, false},
		{"too large", procLine("x", "9223372036854775807", "1", "9"), process{}, false},
		{"short", "7 (x) S 1 2 3", process{}, false},
		{"reversed", "7 )x( S 1 2 3", process{}, false},
		{"empty", "", process{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, ok := parseProcess(tt.text); got != tt.want || ok != tt.ok {
				t.Errorf("got %+v, %v", got, ok)
			}
		})
	}
}

func TestCompare(t *testing.T) {
	before := map[int]process{
		1: {"idle", 5, 1},
		2: {"cc", 100, 1},
		3: {"cc", 100, 1},
		4: {"gone", 100, 1},
		5: {"reused", 1000, 1},
		9: {"tare", 10, 1},
	}
	after := map[int]process{
		1: {"idle", 5, 1},
		2: {"cc", 190, 1},
		3: {"cc", 170, 1},
		5: {"newcomer", 20, 77},
		6: {"back in time", -5, 1},
		9: {"tare", 30, 1},
	}
	others, own := cpuUsers(before, after, 2*time.Second, 9)
	want := []usage{{"cc", 0.8}, {"newcomer", 0.1}}
	if len(others) != 2 || others[0] != want[0] || others[1] != want[1] || own != 0.1 {
		t.Errorf("got %+v and own %v, want %+v and 0.1", others, own, want)
	}
}

func FuzzProcess(f *testing.F) {
	f.Add(procLine("bash", "10", "5", "99"))
	f.Add("7 ()")
	f.Fuzz(func(t *testing.T, text string) {
		if p, ok := parseProcess(text); ok && (p.ticks < 0 || strings.ContainsAny(p.name, "\n\x00\x1b")) {
			t.Errorf("%+v", p)
		}
	})
}
