package cluster

import (
	"bytes"
	"os"
	"runtime"
	"slices"
	"testing"
)

func TestStores(t *testing.T) {
	dir := t.TempDir()
	files, err := NewFileStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]Store{"memory": NewMemoryStore(), "files": files} {
		t.Run(name, func(t *testing.T) {
			for _, m := range []string{"one", "two", "three"} {
				if err := s.Append("r1", []byte(m)); err != nil {
					t.Fatal(err)
				}
			}
			if got := readAll(t, s, "r1"); !slices.Equal(got, []string{"one", "two", "three"}) {
				t.Errorf("%q", got)
			}
			if got := readAll(t, s, "other"); len(got) != 0 {
				t.Errorf("of a run that is not there: %q", got)
			}
			if !slices.Equal(s.Runs(), []string{"r1"}) {
				t.Errorf("runs %v", s.Runs())
			}
			if err := s.Remove("r1"); err != nil || len(s.Runs()) != 0 || len(readAll(t, s, "r1")) != 0 {
				t.Errorf("after it was removed: %v, %v", s.Runs(), err)
			}
			if err := s.Remove("r1"); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestFileStoreCutOff: an agent was killed while it wrote.
func TestFileStoreCutOff(t *testing.T) {
	dir := t.TempDir()
	s, err := NewFileStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	s.Append("r", []byte("whole"))
	path := s.(*fileStore).path("r")
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.Write([]byte("cut o"))
	f.Close()
	again, err := NewFileStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := readAll(t, again, "r"); !slices.Equal(got, []string{"whole"}) {
		t.Errorf("%q", got)
	}
}

// TestFileStoreShared: nothing is kept where another user can put files, nor through a link or another name.
func TestFileStoreShared(t *testing.T) {
	dir := t.TempDir()
	s, err := NewFileStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	victim := dir + "/victim"
	if err := os.WriteFile(victim, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	for what, put := range map[string]func(from, to string) error{"link": os.Symlink, "hard": os.Link} {
		if err := put(victim, s.(*fileStore).path(what)); err != nil {
			t.Skip(err)
		}
		if err := s.Append(what, []byte("x")); err == nil {
			t.Errorf("%s: kept", what)
		}
	}
	if text, err := os.ReadFile(victim); string(text) != "precious" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if runtime.GOOS == "windows" {
		return // where it is not known who can write
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := NewFileStore(dir); err == nil {
		t.Error("others can write in it")
	}
}

func readAll(t *testing.T, s Store, run string) (all []string) {
	t.Helper()
	if err := s.Read(run, func(m []byte) error { all = append(all, string(bytes.Clone(m))); return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}
