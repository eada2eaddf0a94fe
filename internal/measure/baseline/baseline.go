// Package baseline keeps records of tare bench under names, so that a later run can be compared with one:
//
//	err := baseline.Save(dir, "before", "/tmp/run.jsonl")
//	path, err := baseline.Find(dir, "before")
//
// Names belong to a module: checkouts of the same module share them, and others have theirs.
package baseline

import (
	"bufio"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/measure/session"
)

// Prefix marks a name among revisions: --against saved:NAME.
const Prefix = "saved:"

const suffix = ".jsonl"

var valid = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$`)

// CheckName fails for what is no name.
func CheckName(name string) error {
	if !valid.MatchString(name) {
		return fmt.Errorf("%q is no name for a record: up to 100 letters, digits, dots, dashes and underscores", name)
	}
	return nil
}

// Dir returns the directory with the records of the module whose go.mod is in root; of "", those of no module. It is below
// $XDG_DATA_HOME, by default ~/.local/share.
func Dir(root string) (string, error) {
	data := os.Getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(data) { // the specification has relative ones ignored
		home, err := os.UserHomeDir()
		if err != nil {
			return "", exit.Failed(fmt.Errorf("no place to keep records: %w", err), "set XDG_DATA_HOME")
		}
		data = filepath.Join(home, ".local", "share")
	}
	return filepath.Join(data, "tare", "saved", url.QueryEscape(modulePath(root))), nil
}

// modulePath returns the path in go.mod; "none" if there is no go.mod, or no path in it.
func modulePath(root string) string {
	f, err := os.Open(filepath.Join(root, "go.mod"))
	if root == "" || err != nil {
		return "none"
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if words := strings.Fields(lines.Text()); len(words) > 1 && words[0] == "module" {
			return strings.Trim(words[1], "\"`")
		}
	}
	return "none"
}

// Save copies a record into dir under a name. An earlier one of that name is replaced, as a whole.
func Save(dir, name, record string) error {
	if err := CheckName(name); err != nil {
		return exit.Usage(err, "")
	}
	dir, err := tempdir.MkdirAll(dir, 0o777)
	if err == nil {
		err = session.ReplaceFile(filepath.Join(dir, name+suffix), func(f *os.File) error { return session.CopyFile(f, record) })
	}
	if err != nil {
		return exit.Failed(fmt.Errorf("saving %s: %w", name, err), "the record is in "+record)
	}
	return nil
}

// Find returns the file of a name in dir. It fails if there is none, and names those that there are.
func Find(dir, name string) (string, error) {
	if err := CheckName(name); err != nil {
		return "", exit.Usage(err, "")
	}
	path := filepath.Join(dir, name+suffix)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	} else if !errors.Is(err, os.ErrNotExist) {
		return "", exit.Failed(err, "")
	}
	hint := "tare bench --save " + name + " saves one"
	if have := Names(dir); len(have) > 0 {
		hint = "there are: " + strings.Join(have, ", ")
	}
	return "", exit.Usage(fmt.Errorf("no record is saved as %s", name), hint)
}

// Names returns the names in dir, in order.
func Names(dir string) []string {
	files, _ := filepath.Glob(filepath.Join(dir, "*"+suffix))
	var out []string
	for _, f := range files {
		out = append(out, strings.TrimSuffix(filepath.Base(f), suffix))
	}
	slices.Sort(out)
	return out
}
