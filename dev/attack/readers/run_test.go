//go:build linux

package readers

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarebench/tare/dev/attack/tally"
	"github.com/tarebench/tare/dev/attack/target"
	"github.com/tarebench/tare/internal/process/spawn"
)

const serveVariable = "ATTACK_TEST_SERVE"

// TestMain makes of the test a worker whose command misbehaves as its file says.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == serveVariable {
		if err := target.Serve(misbehave); err != nil {
			panic(err)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func misbehave(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	text, err := os.ReadFile(args[1])
	if err != nil {
		panic(err)
	}
	switch string(text) {
	case "panic":
		panic("here")
	case "die":
		go panic("in a goroutine")
		select {}
	case "escape":
		fmt.Fprint(stdout, "\x1b[2J")
	case "silent":
		return 1
	case "refuse":
		fmt.Fprintln(stderr, "tare: error: not a file of ours")
		return 2
	}
	return 0
}

// script is a command that misbehaves in the same way.
const script = `#!/bin/sh
case $(cat "$2") in
panic|die) echo "panic: here" >&2; exit 2 ;;
escape) printf '\033[2J' ;;
silent) exit 1 ;;
refuse) echo "tare: error: not a file of ours" >&2; exit 2 ;;
worker) ;;
esac
`

// TestFinds: what misbehaves is found and counted, the attack goes on after it, and what only a worker
// does is not reported.
func TestFinds(t *testing.T) {
	dir := t.TempDir()
	command := filepath.Join(dir, "command")
	if err := os.WriteFile(command, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	launcher, err := spawn.Start(context.Background(), spawn.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer launcher.Close()
	c := target.Config{Seed: 1, Scale: 1, Input: -1, Tare: command, Work: dir, Keep: filepath.Join(dir, "kept"), Log: io.Discard}
	w, err := c.NewWorker(os.Args[0], serveVariable)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for input, x := range []struct{ file, kind string }{
		{"fine", ""}, {"panic", tally.Panic}, {"die", tally.Panic}, {"refuse", ""}, {"escape", tally.Other}, {"silent", tally.Other},
	} {
		a := &attack{Config: c, reader: reader{name: "test", suffix: ".txt"}, row: tally.NewRow("read test"), launcher: launcher}
		b := base{"base", []byte(x.file), words("read FILE")}
		if err := a.give(context.Background(), w, input, damaged{b, []byte(x.file), "as it is"}, false); err != nil {
			t.Fatal(err)
		}
		found := a.row.Findings()
		if x.kind == "" {
			if len(found) > 0 || a.row.Survived() != 1 {
				t.Errorf("%s: found %+v", x.file, found)
			}
			continue
		}
		if len(found) != 1 || found[0].Kind != x.kind || found[0].Input != input || a.row.Survived() != 0 || !strings.Contains(found[0].Text, "as it is") {
			t.Errorf("%s: found %+v, want %s of input %d", x.file, found, x.kind, input)
			continue
		}
		if kept, err := os.ReadFile(found[0].Kept); err != nil || string(kept) != x.file {
			t.Errorf("%s: kept %q, %v", x.file, kept, err)
		}
	}
}
