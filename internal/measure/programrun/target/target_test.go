package target

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/exit"
)

func TestCommandTarget(t *testing.T) {
	const exit = "-test.paniconexit0"
	const limit = "-test.timeout=10m0s"
	tests := []struct {
		line string
		want Target
		used string // the command as a title has it
	}{
		{"go run .", Target{Pkgs: []string{"."}}, "."},
		{"go run . -race x", Target{Pkgs: []string{"."}, Args: []string{"-race", "x"}}, ". -race x"},
		{"go run -race -tags a,b ./cmd -n 3", Target{Flags: []string{"-race", "-tags=a,b"}, Pkgs: []string{"./cmd"}, Args: []string{"-n", "3"}}, "./cmd -n 3"},
		{"/usr/bin/go run --tags=a a.go b.go c.txt d.go", Target{Flags: []string{"-tags=a"}, Pkgs: []string{"a.go", "b.go"}, Args: []string{"c.txt", "d.go"}}, "a.go b.go c.txt d.go"},
		{"go run -C sub .", Target{Dir: "sub", Pkgs: []string{"."}}, "."},
		{"go test", Target{Test: true, Pkgs: []string{"."}, Args: []string{exit, limit}}, "go test ."},
		{"go test -v -bench X sort", Target{Test: true, Pkgs: []string{"sort"}, Args: []string{exit, limit, "-test.v", "-test.bench=X"}}, "go test sort -v -bench=X"},
		{"go test sort -race -run=^$ -timeout 1m", Target{Test: true, Flags: []string{"-race"}, Pkgs: []string{"sort"}, Args: []string{exit, "-test.run=^$", "-test.timeout=1m"}}, "go test sort '-run=^$' -timeout=1m"},
		{"go test -v=false . -args -v x", Target{Test: true, Pkgs: []string{"."}, Args: []string{exit, limit, "-test.v=false", "-v", "x"}}, "go test . -v=false -v x"},
	}
	for _, test := range tests {
		words := strings.Fields(test.line)
		if !IsGo(words) {
			t.Errorf("%s: is no go command", test.line)
			continue
		}
		got, err := FromCommand(words)
		if err != nil {
			t.Errorf("%s: %v", test.line, err)
			continue
		}
		want := test.want
		if !slices.Equal(got.Flags, want.Flags) || !slices.Equal(got.Pkgs, want.Pkgs) || !slices.Equal(got.Args, want.Args) || got.Test != want.Test || got.Dir != want.Dir {
			t.Errorf("%s:\n%+v, want\n%+v", test.line, *got, want)
		}
		if line := got.Line(); line != test.used {
			t.Errorf("%s: is called %q, want %q", test.line, line, test.used)
		}
	}
}

func TestCommandTargetRefuses(t *testing.T) {
	for line, want := range map[string]string{
		"go run":                    "no package",
		"go run -tags":              "needs a value",
		"go run -exec x .":          "-exec",
		"go run -overlay=x .":       "", // merged with ours
		"go run -bench X .":         "-bench",
		"go test -c":                "-c",
		"go test -o x":              "-o",
		"go test -cover":            "-cover",
		"go test -json":             "-json",
		"go test -modfile=x":        "",
		"go test -unheard-of":       "-unheard-of",
		"go test -bench":            "needs a value",
		"go test . -args -x -bench": "", // the program's own
	} {
		_, err := FromCommand(strings.Fields(line))
		f := (*exit.Error)(nil)
		switch {
		case want == "":
			if err != nil {
				t.Errorf("%s: %v", line, err)
			}
		case err == nil || !strings.Contains(err.Error(), want):
			t.Errorf("%s: error %v, want one about %s", line, err, want)
		case !errors.As(err, &f) || f.Code != exit.Misuse:
			t.Errorf("%s: %v is no error of usage", line, err)
		}
	}
	for _, line := range []string{"go", "go build .", "gofmt run", "./program test"} {
		if IsGo(strings.Fields(line)) {
			t.Errorf("%s: is a command that tare builds", line)
		}
	}
}

// Profiles of a test are where go test would have put them.
func TestTestingOutputDir(t *testing.T) {
	for asked, want := range map[string]bool{"-test.cpuprofile=x": true, "-test.memprofilerate=1": false, "-test.run=x": false, "-test.trace=x": true} {
		got := strings.Contains(fmt.Sprint((&Target{Test: true}).testing([]string{asked})), "-test.outputdir=")
		if got != want {
			t.Errorf("%s: a directory: %v, want %v", asked, got, want)
		}
	}
}

// TestTargetLine: where one is says nothing of what runs there.
func TestTargetLine(t *testing.T) {
	for _, c := range []struct {
		target Target
		want   string
	}{
		{Target{Pkgs: []string{"."}, Path: "example.org/m/cmd/x", Args: []string{"-v"}}, "example.org/m/cmd/x -v"},
		{Target{Pkgs: []string{"../.."}, Path: "example.org/m"}, "example.org/m"},
		{Target{Pkgs: []string{"./cmd/x"}, Path: "example.org/m/cmd/x"}, "./cmd/x"},
		{Target{Pkgs: []string{"."}}, "."}, // not known yet
		{Target{Pkgs: []string{"."}, Path: "example.org/m", Test: true}, "go test ."},
	} {
		if got := c.target.Line(); got != c.want {
			t.Errorf("%q, which is %s: %q, want %q", c.target.Pkgs, c.target.Path, got, c.want)
		}
	}
}
