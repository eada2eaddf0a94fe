package hunks

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

const (
	mostFiles = 100     // that differ, of a package
	mostBytes = 4 << 20 // of a file
)

// folders compares the files of packages in two directories.
func folders(ctx context.Context, old, new string, packages []string) (out []File) {
	for _, rel := range folderNames(old, new, packages) {
		names := map[string]bool{}
		for _, root := range []string{old, new} {
			list, _ := os.ReadDir(filepath.Join(root, rel))
			for _, e := range list {
				if e.Type().IsRegular() && slices.Contains(suffixes, path.Ext(e.Name())) {
					names[e.Name()] = true
				}
			}
		}
		n := 0
		for _, name := range slices.Sorted(maps.Keys(names)) {
			if f, ok := pair(ctx, old, new, filepath.Join(rel, name)); ok {
				if n++; n > mostFiles {
					break
				}
				out = append(out, f)
			}
		}
	}
	return out
}

// pair compares a file that both directories may have, and reports whether it differs.
func pair(ctx context.Context, old, new, rel string) (File, bool) {
	paths := [2]string{filepath.Join(old, rel), filepath.Join(new, rel)}
	f := File{Path: [2]string{filepath.ToSlash(rel), filepath.ToSlash(rel)}}
	var text [2][]byte
	for side, p := range paths {
		info, err := os.Lstat(p)
		switch {
		case os.IsNotExist(err):
			paths[side], f.Path[side] = os.DevNull, ""
			continue
		case err != nil, !info.Mode().IsRegular(), info.Size() > mostBytes:
			return f, false
		}
		if text[side], err = os.ReadFile(p); err != nil {
			return f, false
		}
	}
	if bytes.Equal(text[0], text[1]) {
		return f, false
	}
	diff, ok := differ(ctx, old, paths[0], paths[1])
	parsed := Parse(diff)
	if !ok || len(parsed) != 1 {
		return f, false
	}
	f.Hunks = parsed[0].Hunks
	for i := range f.Hunks {
		f.Hunks[i].File = f.name()
	}
	return f, true
}

// folderNames returns the folders of packages below both directories: the ends of import paths, the longest first.
func folderNames(old, new string, packages []string) (out []string) {
	for _, pkg := range packages {
		for rel := pkg; ; {
			if isFolder(old, rel) && isFolder(new, rel) {
				if !slices.Contains(out, rel) {
					out = append(out, rel)
				}
				break
			}
			if rel == "." {
				break
			}
			_, after, ok := strings.Cut(rel, "/")
			if rel = after; !ok {
				rel = "."
			}
		}
	}
	return out
}

// isFolder reports whether a directory has a folder, without leaving it by a link.
func isFolder(root, rel string) bool {
	for p := root; ; {
		first, rest, more := strings.Cut(rel, "/")
		p = filepath.Join(p, first)
		info, err := os.Lstat(p)
		if err != nil || !info.IsDir() && p != filepath.Clean(root) {
			return false
		}
		if rel = rest; !more {
			return true
		}
	}
}
