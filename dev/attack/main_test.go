//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// commandArgument makes of the test the command, so that nothing has to be built.
const commandArgument = "as-the-command"

func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 1 && os.Args[1] == commandArgument:
		os.Exit(command(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	case len(os.Args) > 1 && os.Args[1] == serveArgument:
		main()
	default:
		os.Exit(m.Run())
	}
}

// TestReaders makes one attack in a thousand of each reader, with a seed that is the same every time. It
// finds nothing, and the table of the page has a row of each.
func TestReaders(t *testing.T) {
	dir := t.TempDir()
	page, tare := filepath.Join(dir, "page.md"), filepath.Join(dir, "tare")
	for path, text := range map[string]string{
		page: "<!-- attack: begin -->\n<!-- attack: end -->\n",
		tare: fmt.Sprintf("#!/bin/sh\nexec '%s' %s \"$@\"\n", os.Args[0], commandArgument),
	} {
		if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	found, err := run(t.Context(), []string{"-only", "read", "-scale", "0.001", "-seed", "1", "-tare", tare, "-page", page})
	if err != nil || found {
		t.Errorf("found %v, %v; what was found is printed above", found, err)
	}
	table, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(table), "`-scale 0.001 -seed 1`"); n != 12 {
		t.Errorf("%d rows, want one of each of 12 readers:\n%s", n, table)
	}
}

// TestFlags: what cannot be understood is refused.
func TestFlags(t *testing.T) {
	for _, args := range [][]string{{"-seed", "xyz"}, {"all"}, {"-input", "first"}} {
		if _, err := parse(args); err == nil {
			t.Errorf("%q was taken", args)
		}
	}
	o, err := parse([]string{"-only", "read,kill bench"})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"read logs": true, "kill bench --side": true, "kill time": false} {
		if o.Chosen(name) != want {
			t.Errorf("%s is chosen: %v", name, !want)
		}
	}
}
