package history

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// stores are one of each kind.
func stores(t *testing.T) map[string]Store {
	return map[string]Store{"folder": OpenFolder(filepath.Join(t.TempDir(), "h")), "ref": openRef(t, repository(t))}
}

func TestStore(t *testing.T) {
	for name, s := range stores(t) {
		t.Run(name, func(t *testing.T) {
			r, ctx := seeded(t), context.Background()
			wantCommits(t, s)
			a, b := entryOf(r, hash(1), 3, 5), entryOf(r, hash(2), 2, 5)
			b.Gaps = []Gap{{Pkg: "example.com/m/q", Why: "does not build"}}
			b.Verdicts = []Verdict{{Key: a.Series[0].Key, Unit: "ns/op", Before: hash(1), After: hash(2), State: Confirmed, Ratio: 1.1, Lo: 1.05, Hi: 1.2, Forks: 40}}
			add(t, s, a, b)
			if n, err := s.Add(ctx, []*Entry{a, a}); n != 0 || err != nil {
				t.Errorf("the same entries again: %d, %v", n, err)
			}
			add(t, s, entryOf(r, hash(1), 1, 5)) // another run of the commit
			all, damage := readAll(t, s)
			if len(damage) > 0 || len(all[hash(1)]) != 2 || len(all[hash(2)]) != 1 {
				t.Fatalf("%d and %d entries, damage %v", len(all[hash(1)]), len(all[hash(2)]), damage)
			}
			content, _ := Encode(b)
			want, _ := decode(content, nil, &names{map[string]string{}})
			if got := all[hash(2)][0]; !reflect.DeepEqual(got, want) {
				t.Errorf("read %+v, want %+v", got, want)
			}
			if err := s.Prune(ctx, filesOf(t, s, hash(1))); err != nil {
				t.Fatal(err)
			}
			wantCommits(t, s, 2)
			if n, err := s.Add(ctx, []*Entry{a}); n != 0 || err != nil {
				t.Errorf("what was removed came back: %d, %v", n, err)
			}
			wantCommits(t, s, 2)
		})
	}
}

func filesOf(t testing.TB, s Store, commit string) (out []File) {
	t.Helper()
	files, _, err := s.List(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Commit == commit {
			out = append(out, f)
		}
	}
	return out
}

// TestSelected: of other benchmarks nothing is read.
func TestSelected(t *testing.T) {
	for name, s := range stores(t) {
		r := seeded(t)
		add(t, s, entryOf(r, hash(1), 4, 5))
		files, _, _ := s.List(context.Background())
		damage, err := s.Read(context.Background(), files, func(k Key) bool { return strings.HasSuffix(k.Name, "n=2") }, func(_ File, e *Entry) {
			if len(e.Series) != 1 || e.Series[0].Name != "Work/n=2" {
				t.Errorf("%s: %v", name, e.Series)
			}
		})
		if err != nil || len(damage) > 0 {
			t.Error(name, err, damage)
		}
	}
}

func TestDirty(t *testing.T) {
	e := entryOf(seeded(t), hash(1), 1, 5)
	e.Dirty = true
	for name, s := range stores(t) {
		n, err := s.Add(context.Background(), []*Entry{e})
		if refused := errors.As(err, new(*DirtyError)); refused != s.Clean() || refused == (n == 1) {
			t.Errorf("%s: %d, %v", name, n, err)
		}
	}
}

// TestFolderDamage: a file that is damaged or strange is named, and the others are read.
func TestFolderDamage(t *testing.T) {
	r, dir := seeded(t), t.TempDir()
	s := OpenFolder(dir)
	add(t, s, entryOf(r, hash(1), 1, 5), entryOf(r, hash(2), 1, 5), entryOf(r, hash(3), 1, 5))
	f := filesOf(t, s, hash(2))[0]
	path := filepath.Join(dir, f.Path())
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for what, content := range map[string]string{
		"cut off":             string(text[:len(text)-20]),
		"empty":               "",
		"no entry":            `{"k":"series"}` + "\n",
		"of another commit":   strings.Replace(string(text), hash(2), hash(9), 1),
		"of a newer version":  strings.Replace(string(text), `"v":1`, `"v":99`, 1),
		"a value that is NaN": strings.Replace(string(text), `"values":[`, `"values":[NaN,`, 1),
	} {
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		all, damage := readAll(t, s)
		if len(all) != 2 || len(damage) != 1 || damage[0].Path != f.Path() {
			t.Errorf("%s: %d entries, damage %v", what, len(all), damage)
		}
	}
}

// TestFolderLink: a link in a folder, such as of the repository that it belongs to, leads to no file outside of it.
func TestFolderLink(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, top)); err != nil {
		t.Skip(err)
	}
	s := OpenFolder(dir)
	if n, err := s.Add(t.Context(), []*Entry{entryOf(seeded(t), hash(1), 1, 5)}); n != 0 || err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("%d added, %v", n, err)
	}
	if err := s.Prune(t.Context(), []File{{Commit: hash(1), Run: "x"}}); err == nil {
		t.Error("pruned")
	}
	if left, err := os.ReadDir(outside); len(left) > 0 || err != nil {
		t.Errorf("outside: %v, %v", left, err)
	}
}
