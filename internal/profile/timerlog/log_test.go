package timerlog

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
	n, err := New()
	if err != nil {
		t.Fatal(err)
	}
	env := n.Env(7)
	path, ok := strings.CutPrefix(env[0], "TARE_STOPS=")
	if !ok || env[1] != "TARE_STOPS_ROOM=7" {
		t.Fatalf("%q", env)
	}
	var text []byte
	for _, x := range []int64{100, 200, 300, 250, 0, 5, -5, 4, 400, 500, 450, 600, 700} { // the last was cut off
		text = binary.NativeEndian.AppendUint64(text, uint64(x))
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got, err := n.Read(); err != nil || !reflect.DeepEqual(got, []Span{{100, 200}, {400, 600}}) {
			t.Errorf("%v, %v", got, err)
		}
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is still there: %v", path, err)
	}
	if got, err := (*Log)(nil).Read(); got != nil || err != nil {
		t.Errorf("no notes: %v, %v", got, err)
	}
	t.Setenv("TMPDIR", "/not/here")
	if _, err := New(); err == nil || !strings.Contains(err.Error(), "file for the timer log") {
		t.Errorf("without a place: %v", err)
	}
}

// TestWarnings: there is a warning if nothing is known of the timer. If too little is
// known, the warning says how much.
func TestWarnings(t *testing.T) {
	n, err := New()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(n.file.Path); err != nil {
		t.Fatal(err)
	}
	_, err = n.Read()
	if !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
}
