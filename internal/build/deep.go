package build

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/overlay"
)

// ErrDeep is wrapped by the error of a package that cannot be built with hooks
// in package testing. Without [Options.Deep] there is nothing wrong with it.
var ErrDeep = errors.New("cannot be built with hooks")

func noHooks(p Package, why error) error {
	return &Error{
		Input: p.ImportPath, Msg: "cannot be measured in depth: " + why.Error(),
		Hint: "without --deep it can be measured all the same", Err: fmt.Errorf("%w: %w", ErrDeep, why),
	}
}

// deepen returns the place from which go sees package testing with hooks. env
// are go's settings at the place as it is.
func (c *cache) deepen(opt Options, p Package, at place, env map[string]string) (place, error) {
	root, err := c.outside(env["GOROOT"], env["GOMODCACHE"])
	if err != nil {
		return place{}, err
	}
	o, err := overlay.New(overlay.Toolchain{Root: root, Version: env["GOVERSION"], OS: env["GOOS"]}, opt.Parts...)
	if err != nil {
		return place{}, noHooks(p, err)
	}
	also, err := ownOverlay(opt, at, env["GOFLAGS"])
	if err != nil {
		return place{}, err
	}
	for from := range also {
		if len(o.Replaces(from)) > 0 {
			return place{}, noHooks(p, fmt.Errorf("the build's own -overlay replaces %s, too", from))
		}
	}
	file, err := o.Write(filepath.Join(c.root, "overlay"), also)
	if err != nil {
		return place{}, fmt.Errorf("cache: %w", err)
	}
	at.flags = append(slices.Clone(at.flags), "-overlay="+file)
	if root != env["GOROOT"] {
		at.root = root
		at.env = append(slices.Clone(at.env), "GOROOT="+root, "GOTOOLCHAIN=local")
	}
	return at, nil
}

// outside returns another path of a GOROOT that lies in the module cache, as
// that of a toolchain does that go has fetched: go refuses to replace files
// there. What it builds does not depend on the path.
func (c *cache) outside(root, modcache string) (string, error) {
	if modcache == "" || !strings.HasPrefix(root, filepath.Clean(modcache)+string(filepath.Separator)) {
		return root, nil
	}
	sum := sha256.Sum256([]byte(root))
	dir := filepath.Join(c.root, "overlay", fmt.Sprintf("goroot-%x", sum[:8]))
	link := filepath.Join(dir, "go")
	err := os.MkdirAll(dir, 0o777)
	if err == nil {
		err = os.Symlink(root, link)
	}
	if to, e := os.Readlink(link); e != nil || to != root {
		return "", fmt.Errorf("cache: a second name for the toolchain: %w", errors.Join(err, e))
	}
	touch(dir)
	return link, nil
}

// ownOverlay is the overlay that the build's flags ask for themselves, with
// absolute paths; nil if they don't. As with go, the last one counts.
func ownOverlay(opt Options, at place, goflags string) (map[string]string, error) {
	file := ""
	for _, f := range append(splitFlags(goflags), opt.flags(at.flags)...) {
		if name, value, ok := strings.Cut(strings.TrimLeft(f, "-"), "="); ok && name == "overlay" {
			file = value
		}
	}
	if file == "" {
		return nil, nil
	}
	wrong := func(msg string, err error) error {
		return &Error{Input: "-overlay=" + file, Msg: msg, Err: err}
	}
	text, err := os.ReadFile(inDir(at.dir, file))
	if err != nil {
		return nil, wrong("cannot be read: "+err.Error(), err)
	}
	var own struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &own); err != nil {
		return nil, wrong("is no overlay: "+err.Error(), err)
	}
	also := make(map[string]string)
	for from, to := range own.Replace {
		if from == "" {
			return nil, wrong("replaces a file without a name", nil)
		}
		if to != "" { // else the file is to be taken away
			to = inDir(at.dir, to)
		}
		also[inDir(at.dir, from)] = to
	}
	return also, nil
}

// inDir is the absolute path of what go, running in dir, calls path.
func inDir(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// splitFlags splits GOFLAGS as go does: at blanks, but for fields that are quoted
// from their beginning to their end.
func splitFlags(s string) []string {
	var out []string
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		if q := s[0]; q == '\'' || q == '"' {
			if field, rest, ok := strings.Cut(s[1:], string(q)); ok {
				out, s = append(out, field), rest
				continue
			}
		}
		end := strings.IndexAny(s, " \t\n\r")
		if end < 0 {
			end = len(s)
		}
		out, s = append(out, s[:end]), s[end:]
	}
	return out
}

// hooksFailed matches the heading of what the compiler has against package testing.
var hooksFailed = regexp.MustCompile(`(?m)^# testing(?: \[.*\])?\n(?:vet: )?(.*)`)

// blameHooks makes an error wrap ErrDeep if it was the hooks that did not compile.
func blameHooks(p Package, err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	m := hooksFailed.FindStringSubmatch(e.Output)
	if m == nil {
		return err
	}
	out := noHooks(p, errors.New("package testing does not compile with hooks: "+m[1])).(*Error)
	out.Output = e.Output
	return out
}
