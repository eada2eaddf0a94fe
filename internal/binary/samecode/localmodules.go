package samecode

import (
	"os"
	"path/filepath"
	"strings"
)

// localModule is a module that is built from a directory.
type localModule struct {
	dir  string
	name string // in digests
}

// moduleRoot returns the directory of the go.mod file around dir, or dir if there is none.
func moduleRoot(dir string) string {
	if root := around(dir, "go.mod"); root != "" {
		return root
	}
	return dir
}

// around returns the nearest directory around dir, itself included, that has a regular file of a name; "" if none has.
func around(dir, name string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if isRegular(filepath.Join(at, name)) {
			return at
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}

func isRegular(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular()
}

func hasModule(dir string) bool { return isRegular(filepath.Join(dir, "go.mod")) }

// localModules returns a module, and those in directories that its go.work uses, or that go.mod or go.work replace others by. They are
// named as they are there, so that copies of all have the same names.
func localModules(root string) []localModule {
	out := []localModule{{root, "."}}
	add := func(dir, file string) {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			return
		}
		for _, path := range directories(string(text)) {
			at := filepath.FromSlash(path)
			if !filepath.IsAbs(at) {
				at = filepath.Join(dir, at)
			}
			out = append(out, localModule{at, file + ":" + path})
		}
	}
	switch work := os.Getenv("GOWORK"); work {
	case "off":
	case "":
		if dir := around(root, "go.work"); dir != "" {
			add(dir, "go.work")
		}
	default:
		add(filepath.Split(work))
	}
	seen := map[string]bool{}
	for i := 0; i < len(out); i++ { // a module of the workspace replaces others, too
		dir := filepath.Clean(out[i].dir)
		if !seen[dir] {
			seen[dir] = true
			add(dir, "go.mod")
		}
	}
	return out
}

// directories returns the paths of directories in a go.mod or go.work file: those begin with a dot or a slash.
func directories(text string) (out []string) {
	use := false
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case ")":
			use = false
			continue
		case "use":
			use = len(words) > 1 && words[1] == "("
			if !use {
				out = append(out, words[1:]...)
			}
			continue
		}
		last := strings.Trim(words[len(words)-1], "\"`")
		replaces := len(words) > 2 && words[len(words)-2] == "=>"
		if use || replaces && (strings.HasPrefix(last, ".") || filepath.IsAbs(last)) {
			out = append(out, last)
		}
	}
	for i := range out {
		out[i] = strings.Trim(out[i], "\"`")
	}
	return out
}
