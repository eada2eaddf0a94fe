package build

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/golang/toolchain"
)

// Options are the options of the go command. The zero value runs the go command in PATH in the current directory.
type Options struct {
	Dir       string   // directory in which go runs; default: the current one
	Toolchain string   // GOTOOLCHAIN, such as "go1.25.1"; default: as in the environment
	Env       []string // K=V, added to the environment of go; the last one wins
	Without   []string // names of variables of our environment that go does not get
	Flags     []string // build flags (`go help build`), each one word: "-race", "-ldflags=-w"
	Tags      string   // build tags, comma separated; those of Flags are added
	Revision  string   // replaces Dir in the cache key, for a revision that is checked out into a new worktree each time
	CacheDir  string   // directory of binaries and scratch modules; default: tare below [os.UserCacheDir]

	Temp string // what go writes while it builds; default: go's own choice. A killed go command leaves it there

	Deep  bool             // binaries get hooks in package testing; see package toolchain. Resolve ignores it
	Parts []toolchain.Part // parts of profilers among the hooks; only with Deep
}

// ownFlags are the flags that Build sets itself, with the reason why users may not set them.
var ownFlags = map[string]string{
	"o": "tare chooses the path of the binary", "c": "always given",
	"trimpath": "always given", "json": "changes what go prints", "exec": "would run the binary",
	"C": "use Dir", "n": "would build nothing",
}

// Validate returns all errors in o.
func (o Options) Validate() error {
	var errs []error
	for _, kv := range o.Env {
		if i := strings.IndexByte(kv, '='); i <= 0 {
			errs = append(errs, fmt.Errorf("build environment %q: want NAME=VALUE", kv))
		}
	}
	for _, f := range o.Flags {
		name, _, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		if !strings.HasPrefix(f, "-") || name == "" || f == "-tags" || f == "--tags" {
			errs = append(errs, fmt.Errorf("build flag %q: want one word, -NAME or -NAME=VALUE", f))
		} else if why := ownFlags[name]; why != "" {
			errs = append(errs, fmt.Errorf("build flag %q: %s", f, why))
		}
	}
	if strings.ContainsAny(o.Tags, " \t\n") {
		errs = append(errs, fmt.Errorf("build tags %q: want them separated by commas", o.Tags))
	}
	if len(o.Parts) > 0 && !o.Deep {
		errs = append(errs, errors.New("build: parts of profilers need Deep"))
	}
	return errors.Join(errs...)
}

// dir returns the absolute directory in which go runs.
func (o Options) dir() (string, error) {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return "", fmt.Errorf("directory %q: %w", o.Dir, err)
	}
	return dir, nil
}

// environ returns the environment of a go command that runs in dir.
func (o Options) environ(dir string, extra []string) []string {
	var env []string
	if o.Temp != "" && !o.keepsWork() {
		env = append(env, "GOTMPDIR="+o.Temp) // first, so that the user's own wins
	}
	env = append(append(env, o.without(nonEmpty(os.Environ(), "GOTMPDIR"))...), o.Env...)
	if o.Toolchain != "" {
		env = append(env, "GOTOOLCHAIN="+o.Toolchain)
	}
	env = append(env, extra...)
	return append(env, "PWD="+dir)
}

// keepsWork reports whether the flags make go keep its temporary files (-work).
func (o Options) keepsWork() bool {
	name := func(name string) bool { return name == "work" }
	return toolchain.ParseFlags(os.Getenv("GOFLAGS"), o.Flags...).Switched(name) != ""
}

// without returns an environment without the variables that go does not get.
func (o Options) without(env []string) []string {
	return slices.DeleteFunc(env, func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(o.Without, name)
	})
}

// nonEmpty returns an environment without the variable if that is empty, which go takes as not set.
func nonEmpty(env []string, name string) []string {
	return slices.DeleteFunc(env, func(kv string) bool { return kv == name+"=" })
}

// flags returns the common flags of go list and go test.
func (o Options) flags(extra []string) []string {
	flags := append([]string(nil), o.Flags...)
	var tags []string
	flags = slices.DeleteFunc(flags, func(f string) bool {
		list, ok := tagsOf(f)
		tags = append(tags, list...)
		return ok
	})
	if o.Tags != "" {
		tags = append(tags, o.Tags)
	}
	if len(tags) > 0 {
		flags = append(flags, "-tags="+strings.Join(tags, ","))
	}
	return append(flags, extra...)
}

// tagsOf returns the build tags of a flag, and whether it is -tags=LIST. The go command takes only the last such flag.
func tagsOf(flag string) (tags []string, ok bool) {
	name, list, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
	if name != "tags" {
		return nil, false
	}
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }), true
}
