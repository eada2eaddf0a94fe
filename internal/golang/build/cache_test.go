package build

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

func TestCorrupted(t *testing.T) {
	testutil.NeedLong(t, "builds a program for each damage")
	opt := offline(t, write(t, t.TempDir(), module))
	p := one(t, opt, "./tested")
	good := mustBuild(t, opt, p)
	for _, c := range []struct {
		what  string
		spoil func() error
	}{
		{"one byte changed", func() error {
			f, err := os.OpenFile(good.Path, os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = f.WriteAt([]byte("x"), good.Size/2)
			return err
		}},
		{"cut off", func() error { return os.Truncate(good.Path, good.Size/2) }},
		{"gone", func() error { return os.Remove(good.Path) }},
		{"slots garbled", func() error {
			slots, err := filepath.Glob(filepath.Join(opt.CacheDir, "slot", "*"))
			for _, s := range slots {
				if err := os.WriteFile(s, []byte(`{"file":"../../x"}`), 0o666); err != nil {
					return err
				}
			}
			return err
		}},
	} {
		if c.what == "cut off" && !testutil.Long() { // found as a changed byte is: by the hash
			continue
		}
		if err := c.spoil(); err != nil {
			t.Fatal(err)
		}
		// mustBuild compares the file with its hash.
		if b := mustBuild(t, opt, p); b.Cached || b.SHA256 != good.SHA256 || b.Path != good.Path {
			t.Errorf("%s: %+v, at first %+v", c.what, b, good)
		}
		if b := mustBuild(t, opt, p); !b.Cached {
			t.Errorf("%s: not in the cache afterwards", c.what)
		}
	}
}

func TestCacheUnusable(t *testing.T) {
	opt := offline(t, write(t, t.TempDir(), module))
	put(t, opt.CacheDir, "a file where the cache should be")
	b := mustBuild(t, opt, one(t, opt, "./tested"))
	if b.Uncached == nil {
		t.Error("no word of it")
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(b.temp.Path); err == nil {
		t.Errorf("%s is still there", b.temp.Path)
	}
}

// fill puts files into a cache that were used some hours ago.
func fill(t *testing.T, c *cache, dir string, hours map[string]int, size int) {
	t.Helper()
	for name, h := range hours {
		file := filepath.Join(c.root, dir, name)
		put(t, file, string(make([]byte, size)))
		at := time.Now().Add(-time.Duration(h) * time.Hour)
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
}

func TestEvict(t *testing.T) {
	c, err := openCache(t.TempDir())
	if err != nil || c.temporary != nil {
		t.Fatal(err, c.why)
	}
	fill(t, c, "bin", map[string]int{"h1": 1, "h23": 23, "h30": 30, "h50": 50, "h119": 119, "h121": 121}, 100)
	fill(t, c, "slot", map[string]int{"h119": 119, "h121": 121}, 1)
	fill(t, c, "overlay", map[string]int{"h119": 119, "h121": 121}, 1)
	fill(t, c, "tmp", map[string]int{"h23": 23, "h25": 25}, 1)
	want := func(what, dir string, names ...string) {
		t.Helper()
		got := make(map[string]bool)
		for _, f := range c.oldestFirst(dir) {
			got[filepath.Base(f.path)] = true
		}
		for _, n := range names {
			if !got[n] {
				t.Errorf("%s: %s/%s is gone", what, dir, n)
			}
			delete(got, n)
		}
		for n := range got {
			t.Errorf("%s: %s/%s is still there", what, dir, n)
		}
	}
	c.evict(time.Now(), standardLimits)
	want("by age", "bin", "h1", "h23", "h30", "h50", "h119")
	want("by age", "slot", "h119")
	want("by age", "overlay", "h119")
	want("by age", "tmp", "h23")

	l := standardLimits
	l.total = 400
	c.evict(time.Now(), l)
	want("above 400", "bin", "h1", "h23", "h30", "h50")
	l.total = 0
	c.evict(time.Now(), l)
	want("above 0", "bin", "h1", "h23")
}

// TestDiscardInUse: what somebody took into use meanwhile is put back.
func TestDiscardInUse(t *testing.T) {
	c, err := openCache(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	fill(t, c, "bin", map[string]int{"a": 200}, 1)
	path := filepath.Join(c.root, "bin", "a")
	if err := touch(path); err != nil {
		t.Fatal(err)
	}
	if c.discard(path, time.Now().Add(-time.Hour)) {
		t.Error("discarded")
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

// TestTouch: use keeps a binary.
func TestTouch(t *testing.T) {
	c, err := openCache(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	fill(t, c, "bin", map[string]int{"a": 200}, 1)
	b := Binary{Path: filepath.Join(c.root, "bin", "a")}
	if err := b.Touch(); err != nil {
		t.Fatal(err)
	}
	c.evict(time.Now(), standardLimits)
	if err := b.Touch(); err != nil {
		t.Error(err)
	}
}

func TestShareCopies(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	put(t, from, "content")
	if err := linkOrCopy(from, to); err != nil {
		t.Fatal(err)
	}
	if !sameFile(from, to) {
		t.Skip("no hard links here")
	}
	if err := linkOrCopy(from, to); err == nil {
		t.Error("overwrote what was there")
	}
	if text, _ := os.ReadFile(to); string(text) != "content" {
		t.Errorf("content is %q", text)
	}
}
