package history

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// object returns the file of a loose object.
func object(s *Ref, name string) string {
	return filepath.Join(s.dir, ".git", "objects", name[:2], name[2:])
}

// spoil replaces the file of an object.
func spoil(t *testing.T, path string, content []byte) {
	t.Helper()
	os.Chmod(path, 0o666)
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
}

func deflated(text string) []byte {
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	w.Write([]byte(text))
	w.Close()
	return out.Bytes()
}

// TestBrokenObjects: each damaged object is named, and all others are read.
func TestBrokenObjects(t *testing.T) {
	r, s := seeded(t), openRef(t, repository(t))
	const n = 60
	for i := 0; i < n; i += 20 { // fewer than make a pack
		var entries []*Entry
		for k := range 20 {
			entries = append(entries, entryOf(r, hash(uint64(i+k)), 1, 3))
		}
		add(t, s, entries...)
	}
	files, _, err := s.List(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	broken := map[string]string{}
	for _, i := range r.Perm(n)[:8] {
		path := object(s, files[i].blob)
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		switch what := len(broken) % 4; what {
		case 0: // the body: git dies
			content[len(content)/2] ^= 0x55
			spoil(t, path, content)
		case 1: // the header
			spoil(t, path, []byte("no object"))
		case 2:
			os.Remove(path)
		case 3: // another content than the name says, which git does not check
			spoil(t, path, deflated("blob 9\x00{\"k\":\"x\"}"))
		}
		broken[files[i].Path()] = ""
	}
	all, damage := readAll(t, s)
	if len(all) != n-len(broken) || len(damage) != len(broken) {
		t.Errorf("%d entries and %d damaged, of %d and %d: %v", len(all), len(damage), n-len(broken), len(broken), damage)
	}
	for _, d := range damage {
		if _, ok := broken[d.Path]; !ok || d.Why == "" {
			t.Errorf("%s is named: %s", d.Path, d.Why)
		}
	}
}

// TestMissingTree: the list of an earlier commit is read instead, and that is said.
func TestMissingTree(t *testing.T) {
	r, s := seeded(t), openRef(t, repository(t))
	for i := range 3 {
		add(t, s, entryOf(r, hash(uint64(i)), 1, 3))
	}
	if err := os.Remove(object(s, run(t, s.dir, "rev-parse", DefaultRef+"^{tree}"))); err != nil {
		t.Fatal(err)
	}
	all, damage := readAll(t, s)
	if len(all) != 2 || len(damage) != 2 {
		t.Errorf("%d entries, damage %v", len(all), damage)
	}
	if err := os.Remove(object(s, run(t, s.dir, "rev-parse", DefaultRef))); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.List(context.Background()); err == nil {
		t.Error("a store whose tip is missing has no error")
	}
}

// TestManyEntries: ten thousand entries in one call, and what is loose afterwards.
func TestManyEntries(t *testing.T) {
	long(t)
	r, s := seeded(t), openRef(t, repository(t))
	var all []*Entry
	for i := range 10_000 {
		all = append(all, entryOf(r, hash(uint64(i)), 1, 10))
	}
	add(t, s, all...)
	if got, damage := readAll(t, s); len(got) != len(all) || len(damage) > 0 {
		t.Errorf("%d of %d entries, damage %v", len(got), len(all), damage)
	}
	fmt.Println(run(t, s.dir, "count-objects", "-v"))
}

// TestSize: a thousand commits of two hundred benchmarks take at most 30 MB.
func TestSize(t *testing.T) {
	long(t)
	r, s := seeded(t), openRef(t, repository(t))
	var all []*Entry
	for i := range 1000 {
		all = append(all, entryOf(r, hash(uint64(i)), 200, 10))
	}
	add(t, s, all...)
	var size int64
	filepath.Walk(filepath.Join(s.dir, ".git"), func(_ string, st os.FileInfo, err error) error {
		if err == nil && st.Mode().IsRegular() {
			size += st.Size()
		}
		return nil
	})
	fmt.Printf("1,000 commits × 200 benchmarks × 10 forks: %.1f MB\n", float64(size)/1e6)
	if size > 30e6 {
		t.Errorf("%d bytes", size)
	}
}

// BenchmarkRead reads a thousand commits of two hundred benchmarks.
func BenchmarkRead(b *testing.B) {
	r, s := seeded(b), openRef(b, repository(b))
	var all []*Entry
	for i := range 1000 {
		all = append(all, entryOf(r, hash(uint64(i)), 200, 10))
	}
	add(b, s, all...)
	for b.Loop() {
		files, _, err := s.List(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		if _, err := s.Read(context.Background(), files, nil, func(_ File, e *Entry) { n += len(e.Series) }); err != nil || n != 200_000 {
			b.Fatal(n, err)
		}
	}
}
