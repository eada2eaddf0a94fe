package history

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"
)

const (
	top       = "v1"
	suffix    = ".jsonl"
	tombstone = ".gone"
)

// File names an entry of a store.
type File struct {
	Commit string
	Run    string // digest of the content

	blob string // of a ref
}

// Path returns where the entry is in the store, with slashes.
func (f File) Path() string { return path.Join(top, f.Commit[:2], f.Commit, f.Run+suffix) }

func (f File) tombstone() string { return path.Join(top, f.Commit[:2], f.Commit, f.Run+tombstone) }

// fileOf returns the name of an entry with this content.
func fileOf(commit string, content []byte) File {
	sum := sha256.Sum256(content)
	return File{Commit: commit, Run: hex.EncodeToString(sum[:8])}
}

// parsePath returns the entry that a path of a store is about, and whether the path is its tombstone. It reports false for
// anything else.
func parsePath(p string) (f File, gone, ok bool) {
	parts := strings.Split(p, "/")
	if len(parts) != 4 || parts[0] != top || !isHash(parts[2]) || parts[1] != parts[2][:2] {
		return File{}, false, false
	}
	run, isEntry := strings.CutSuffix(parts[3], suffix)
	if !isEntry {
		if run, gone = strings.CutSuffix(parts[3], tombstone); !gone {
			return File{}, false, false
		}
	}
	if raw, err := hex.DecodeString(run); err != nil || len(raw) != 8 {
		return File{}, false, false
	}
	return File{Commit: parts[2], Run: run}, gone, true
}

// sortFiles sorts by commit, then by run.
func sortFiles(files []File) {
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Commit+a.Run, b.Commit+b.Run) })
}

// Damage is an entry that could not be read, or a part of the store.
type Damage struct {
	Path string // within the store
	Why  string // one line
}
