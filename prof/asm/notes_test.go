package asm

import (
	"encoding/binary"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestNotes: what the half in the process has written is read once, and nothing stays.
func TestNotes(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	p := &attacher{room: 7}
	s, env, err := p.Prepare()
	if err != nil {
		t.Fatal(err)
	}
	path, ok := strings.CutPrefix(env[0], "TARE_ASM=")
	if !ok || env[1] != "TARE_ASM_ROOM=7" {
		t.Fatalf("%q", env)
	}
	var text []byte
	for _, x := range []int64{100, 200, 300, 250, 0, 5, -5, 4, 400, 500, 450, 600, 700} { // the last was cut off
		text = binary.NativeEndian.AppendUint64(text, uint64(x))
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	n := p.take()
	if again := p.take(); again != nil {
		t.Errorf("notes of one fork were given to two")
	}
	for range 2 { // before or behind the other session
		if got, err := n.read(); err != nil || !reflect.DeepEqual(got, []span{{100, 200}, {400, 600}}) {
			t.Errorf("%v, %v", got, err)
		}
		if r, err := s.End(nil); err != nil || r.Values != nil || r.Lines != nil {
			t.Errorf("%+v, %v", r, err)
		}
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is still there: %v", path, err)
	}
	t.Setenv("TMPDIR", "/not/here")
	if _, _, err := p.Prepare(); err == nil || !strings.Contains(err.Error(), "a place for notes of when the timer ran") {
		t.Errorf("without a place: %v", err)
	}
}

// TestNotesLost: that nothing is known of the timer is a doubt; that too little is known
// says how much.
func TestNotesLost(t *testing.T) {
	n, err := newNotes()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(n.path); err != nil {
		t.Fatal(err)
	}
	_, err = n.read()
	if !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	for _, c := range []struct {
		noted float64
		why   error
		code  string
		text  string
	}{
		{1, nil, "", ""},
		{0, err, CodeStopped, n.path},
		{0, nil, CodeStopped, "when the timer stood is not known"},
		{0.42, nil, CodeManyStops, "the first 42 % of the measured time"},
	} {
		ds := timing{noted: c.noted}.doubts(c.why)
		if c.code == "" && len(ds) == 0 {
			continue
		}
		if len(ds) != 1 || ds[0].Code != c.code || !strings.Contains(ds[0].Text, c.text) {
			t.Errorf("%v, %v: %+v, want %s: %s", c.noted, c.why, ds, c.code, c.text)
		}
	}
}
