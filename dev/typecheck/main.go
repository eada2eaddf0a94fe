// Command typecheck reports errors that the compiler would find in packages and their tests, for the system of GOOS and GOARCH.
//
//	GOOS=darwin typecheck [PATTERN…]
//
// It reads the sources of the packages and of their dependencies, and compiles nothing. go vet would compile the dependencies
// for that system first.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	found, err := check(".", os.Environ(), os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "typecheck:", err)
		os.Exit(2)
	}
	for _, f := range found {
		fmt.Fprintln(os.Stderr, f)
	}
	if len(found) > 0 {
		os.Exit(1)
	}
}

// check returns the errors of the packages that match in dir, each once.
func check(dir string, env []string, patterns []string) (found []string, err error) {
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	all, err := packages.Load(&packages.Config{
		Mode: packages.LoadAllSyntax, Dir: root, Tests: true,
		Env:       append(env, "CGO_ENABLED=0"), // a C compiler for the other system is not there
		ParseFile: parse(root),
	}, patterns...)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, p := range all {
		if strings.HasSuffix(p.ID, ".test") { // a main function that the go command writes, outside root
			continue
		}
		for _, e := range p.Errors {
			if text := e.Error(); !seen[text] {
				seen[text] = true
				found = append(found, text)
			}
		}
	}
	return found, nil
}

// parse returns a parser that leaves out the bodies of functions outside root, which others have compiled.
func parse(root string) func(*token.FileSet, string, []byte) (*ast.File, error) {
	return func(files *token.FileSet, name string, text []byte) (*ast.File, error) {
		file, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution)
		if file == nil || strings.HasPrefix(name, root+string(filepath.Separator)) {
			return file, err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				f.Body = nil
			}
		}
		return file, err
	}
}
