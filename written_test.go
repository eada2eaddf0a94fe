package tare

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// writers are the functions that create or open a file under a name, and follow links that another user may have put there.
var writers = []string{"OpenFile", "Create", "WriteFile", "Mkdir", "MkdirAll"}

// writeExceptions are the calls that there are, with the reason.
var writeExceptions = map[string]string{
	"full/internal/cluster/nats MkdirAll":         "the server's store is in a directory of temporary files",
	"internal/cli OpenFile":                       "reads a mark with os.OpenFile",
	"internal/golang/build MkdirAll":              "writes in the cache or a place",
	"internal/golang/build OpenFile":              "writes in the cache or a place",
	"internal/golang/build WriteFile":             "writes in the cache or a place",
	"internal/golang/helper MkdirAll":             "writes in the cache or a place",
	"internal/golang/helper WriteFile":            "writes in the cache or a place",
	"internal/golang/instrument MkdirAll":         "writes in a place",
	"internal/golang/instrument WriteFile":        "writes in a place",
	"internal/golang/toolchain MkdirAll":          "writes in the cache or a place",
	"internal/golang/toolchain WriteFile":         "writes in the cache or a place",
	"internal/measure/commandrun OpenFile":        "opens a place",
	"internal/measure/loadrun Create":             "writes in a place",
	"internal/measure/programrun Mkdir":           "writes in a place",
	"internal/measure/programrun/target MkdirAll": "writes in a place",
	"internal/measure/session Create":             "applies the rules of -o: resolveOutput",
	"internal/measure/session MkdirAll":           "applies the rules of -o: resolveOutput",
	"internal/measure/session OpenFile":           "applies the rules of -o: resolveOutput",
	"internal/measure/session/runlog OpenFile":    "reads with os.OpenFile",
	"internal/process/memorymax Mkdir":            "writes in /sys/fs/cgroup",
	"internal/process/memorymax OpenFile":         "writes in /sys/fs/cgroup",
	"internal/process/spawn OpenFile":             "writes in /proc, and /dev/null",
	"internal/profile/trace MkdirAll":             "writes in a place",
	"internal/show/subjects/citext OpenFile":      "appends to a file of the service, which may be another user's, after tempdir.FollowLinks",
	"internal/testkit/loadtest/servers WriteFile": "is for tests",
	"internal/testkit/nettest WriteFile":          "is for tests",
	"record OpenFile":                             "is given a file by the program that uses it",
}

// TestWrittenFiles: files and directories that a flag, a property or a variable names are opened by the rules of tempdir or, as
// outputs of -o are, of measure/session: os.OpenFile and its kind follow the links of other users. Programs beside the command (dev, lab, suites)
// are run by developers in directories of their own.
func TestWrittenFiles(t *testing.T) {
	used := map[string]bool{}
	for _, root := range []string{"bench", "cmd", "footprint", "full", "hist", "internal", "load", "record", "stat", "usage"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), "_") || strings.HasPrefix(d.Name(), ".")):
				return fs.SkipDir
			case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			pkg := filepath.ToSlash(filepath.Dir(path))
			for _, name := range calledWriters(file) {
				if pkg == tempPackage {
					continue
				}
				key := pkg + " " + name
				used[key] = true
				if writeExceptions[key] == "" {
					t.Errorf("%s: os.%s follows links of other users; use %s or measure/session, or give a reason in writeExceptions", path, name, tempPackage)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for key := range writeExceptions {
		if !used[key] {
			t.Errorf("writeExceptions has %q, which is not in the sources", key)
		}
	}
}

// calledWriters returns the writers of package os that a file names.
func calledWriters(file *ast.File) (found []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "os" && slices.Contains(writers, s.Sel.Name) {
				found = append(found, s.Sel.Name)
			}
		}
		return true
	})
	return found
}
