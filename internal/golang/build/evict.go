package build

import (
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/tarebench/tare/internal/base/tempdir"
)

// limits bounds the cache. Durations are since the last use.
type limits struct {
	keep  time.Duration // nothing younger is removed, whatever the total
	age   time.Duration // everything older is removed
	total int64         // bytes in bin; above it the oldest go first
}

var standardLimits = limits{keep: 24 * time.Hour, age: 5 * 24 * time.Hour, total: 2 << 30}

// evict removes entries from the cache by the limits. Entries that cannot be removed stay.
func (c *cache) evict(now time.Time, l limits) {
	files := c.oldestFirst("bin")
	var total int64
	for _, f := range files {
		total += f.size
	}
	for _, f := range files {
		age := now.Sub(f.used)
		if age < l.keep || age <= l.age && total <= l.total {
			continue
		}
		if c.discard(f.path, now.Add(-l.keep)) {
			total -= f.size
		}
	}
	for _, dir := range []string{"slot", "mod", "overlay"} {
		for _, f := range c.oldestFirst(dir) {
			if now.Sub(f.used) > l.age {
				c.discard(f.path, now.Add(-l.keep))
			}
		}
	}
	// Old files in tmp belong to killed processes, where there are no locks to tell it at once.
	for _, f := range c.oldestFirst("tmp") {
		if now.Sub(f.used) > l.keep {
			os.RemoveAll(f.path)
		}
	}
}

// discard removes path unless it was used after since. Another process may use the entry between check and removal,
// so discard renames it, checks it again, and renames it back if it was used.
func (c *cache) discard(path string, since time.Time) bool {
	aside, err := tempdir.DirIn(filepath.Join(c.root, "tmp"), "discard")
	if err != nil {
		return false
	}
	defer aside.Remove()
	moved := filepath.Join(aside.Path, filepath.Base(path))
	if err := os.Rename(path, moved); err != nil {
		return false
	}
	if fi, err := os.Stat(moved); err == nil && fi.ModTime().After(since) {
		os.Rename(moved, path)
		return false
	}
	return true
}

type usedFile struct {
	path string
	size int64
	used time.Time
}

// oldestFirst lists one of the cache's directories by last use.
func (c *cache) oldestFirst(dir string) []usedFile {
	list, err := os.ReadDir(filepath.Join(c.root, dir))
	if err != nil {
		return nil
	}
	var files []usedFile
	for _, d := range list {
		if fi, err := d.Info(); err == nil {
			files = append(files, usedFile{filepath.Join(c.root, dir, d.Name()), fi.Size(), fi.ModTime()})
		}
	}
	slices.SortFunc(files, func(a, b usedFile) int { return a.used.Compare(b.used) })
	return files
}
