package cli

import (
	"debug/buildinfo"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/measure/session"
)

// buildFull builds a program in a checkout, whose name is that of tare-full.
func buildFull(t *testing.T) string {
	t.Helper()
	dir, path := t.TempDir(), filepath.Join(t.TempDir(), fullName)
	for name, text := range map[string]string{"go.mod": "module github.com/tarebench/tare\n\ngo 1.26\n", "main.go": "package main\n\nfunc main() {}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{
		"git init -q", "git add .", "git -c user.name=t -c user.email=t@example.org commit -qm x",
		"go build -buildvcs=true -o " + path + " .",
	} {
		words := strings.Fields(line)
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
	}
	return path
}

// TestFindFull: tare-full of the same version is used, beside the program or on PATH. Another version, another file
// and one in the current directory are not.
func TestFindFull(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the file has another name")
	}
	full := buildFull(t)
	info, err := buildinfo.ReadFile(full)
	if err != nil {
		t.Fatal(err)
	}
	source := session.SourceOf(info)
	beside, empty := filepath.Join(filepath.Dir(full), "tare"), filepath.Join(t.TempDir(), "tare")
	junk := filepath.Join(t.TempDir(), fullName)
	if err := os.WriteFile(junk, []byte("#!/bin/sh\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "tare")
	if err := os.Symlink(beside, link); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(beside, nil, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, self, path, dir, source string
		want                          string // path, or a part of the error
	}{
		{"beside", beside, "", "", source, full},
		{"beside what a link names", link, "", "", source, full},
		{"on PATH", empty, filepath.Dir(full), "", source, full},
		{"on PATH, beside another file", filepath.Join(filepath.Dir(junk), "tare"), filepath.Dir(full), "", source, full},
		{"another version", beside, "", "", "v1.2.4", "is " + source + ", and this is tare v1.2.4"},
		{"no version", beside, "", "", "", "does not know its version"},
		{"no program of Go", filepath.Join(filepath.Dir(junk), "tare"), "", "", source, junk},
		{"nowhere", empty, "", "", source, "neither beside tare nor on PATH"},
		{"in the current directory", empty, ".", filepath.Dir(full), source, "neither beside tare nor on PATH"},
		{"in the current directory, by an empty name", empty, "", filepath.Dir(full), source, "neither beside tare nor on PATH"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.dir != "" {
				t.Chdir(c.dir)
			}
			t.Setenv("PATH", c.path+string(filepath.ListSeparator)+"/nonexistent")
			got, err := findFull(c.self, c.source)
			if got == "" && err != nil {
				got = err.Error()
			}
			if got != c.want && (filepath.IsAbs(c.want) && err == nil || !strings.Contains(got, c.want)) {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
