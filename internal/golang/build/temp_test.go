package build

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestTemp: what go writes while it builds goes to the directory of the run, unless the user has chosen
// another, or keeps it.
func TestTemp(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte("#!/bin/sh\necho \"$GOTMPDIR\"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, c := range []struct {
		what, variable, flags string
		opt                   Options
		want                  string
	}{
		{"of the run", "", "", Options{Temp: "/run"}, "/run"},
		{"go's own", "", "", Options{}, ""},
		{"the user's", "/mine", "", Options{Temp: "/run"}, "/mine"},
		{"a side's", "", "", Options{Temp: "/run", Env: []string{"GOTMPDIR=/side"}}, "/side"},
		{"kept", "", "", Options{Temp: "/run", Flags: []string{"-work"}}, ""},
		{"kept by GOFLAGS", "", "-work=true", Options{Temp: "/run"}, ""},
	} {
		t.Setenv("GOTMPDIR", c.variable)
		t.Setenv("GOFLAGS", c.flags)
		out, err := c.opt.combined(t.Context(), place{dir: dir}, "test", "-c")
		if err != nil || out != c.want+"\n" {
			t.Errorf("%s: GOTMPDIR is %q, %v, want %q", c.what, out, err, c.want)
		}
	}
}
