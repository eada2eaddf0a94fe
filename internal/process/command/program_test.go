package command

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

// TestStarter: what is started for what was typed.
func TestStarter(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("programs have other names here")
	}
	dir := t.TempDir()
	prog := filepath.Join(dir, "prog")
	if err := os.WriteFile(prog, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	words := []string{prog, "a b"}
	for _, c := range []struct {
		s    Starter
		path string
		args []string
	}{
		{Starter{}, prog, []string{"a b"}},
		{Starter{sh: "/sh", Input: true}, "/sh", []string{"-c", inputExec, "sh", prog, "a b"}},
		{Starter{sh: "/sh", Shell: true}, "/sh", []string{"-c", prog + " 'a b'"}},
		{Starter{sh: "/sh", Shell: true, Input: true}, "/sh", []string{"-c", inputScript + prog + " 'a b'"}},
	} {
		c.s.Dir, c.s.Env = "/d", []string{"K=V"}
		p, err := c.s.Program(words)
		if err != nil {
			t.Fatal(err)
		}
		if p.Spec.Path != c.path || !slices.Equal(p.Spec.Args, c.args) || p.Spec.Dir != "/d" || p.Spec.Env[0] != "K=V" || p.Line != prog+" 'a b'" {
			t.Errorf("%+v: %+v", c.s, p)
		}
		if n, ok := c.s.Empty(); ok && (n.Path == c.path) != (c.s.sh != "") {
			t.Errorf("%+v: the empty process is %+v", c.s, n)
		}
	}
	if p, err := (&Starter{sh: "/sh", Shell: true}).Program([]string{"ls | wc -l"}); err != nil || p.Spec.Args[1] != "ls | wc -l" {
		t.Errorf("%+v, %v", p, err)
	}
}
