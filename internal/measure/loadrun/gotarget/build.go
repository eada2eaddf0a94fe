package gotarget

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/golang/build"
)

// Signature is that of the function that a package exports.
const Signature = "func Target(cfg map[string]string) (load.Target, error)"

// The files of the program besides the one that names the user's package.
var (
	//go:embed _child/serve.go
	serveText string
	//go:embed wire.go
	wireText string
)

// userFile is the file that names the user's package. No user has a file of such a name.
const userFile = "tare_target.go"

const userText = `package main

import (
	"github.com/tarebench/tare/load"

	user %q
)

// open makes the target.
var open func(cfg map[string]string) (load.Target, error) = user.Target
`

// Program is the built program of a package.
type Program struct {
	build.Binary
	pattern string
}

// Build builds the program of a package, which is named as the go command names it: ./shop, an import path, or one with
// @version. Its error has an exit code.
func Build(ctx context.Context, opt build.Options, pattern string) (*Program, error) {
	p, err := resolve(ctx, opt, pattern)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	b, err := build.Program(ctx, opt, p, map[string]string{
		"tare_serve.go": serveText,
		"tare_wire.go":  strings.Replace(wireText, "package gotarget", "package main", 1),
		userFile:        fmt.Sprintf(userText, p.ImportPath),
	})
	if err != nil {
		return nil, buildError(pattern, err)
	}
	return &Program{b, pattern}, nil
}

// resolve finds the one package of a pattern.
func resolve(ctx context.Context, opt build.Options, pattern string) (build.Package, error) {
	pkgs, err := build.Resolve(ctx, opt, []string{pattern})
	if err != nil {
		return build.Package{}, buildError(pattern, err)
	}
	switch p := pkgs[0]; {
	case len(pkgs) > 1:
		err = exit.Usage(fmt.Errorf("%s: %d packages, and one is a target", pattern, len(pkgs)), "name one of them: "+p.ImportPath)
	case p.Error != nil:
		err = buildError(pattern, p.Error)
	case p.Name == "main":
		err = exit.Usage(fmt.Errorf("%s: a package main cannot be imported", pattern), "move its "+Signature+" to a package of its own")
	default:
		return p, nil
	}
	for _, p := range pkgs {
		p.Close()
	}
	return build.Package{}, err
}

// Errors of the compiler in userFile.
var (
	undefined = regexp.MustCompile(userFile + `:\d+:\d+: undefined: user\.Target`)
	unlike    = regexp.MustCompile(userFile + `:\d+:\d+: cannot use user\.Target \((?:value|variable) of type ([^\n]*?)\) as `)
	skewed    = regexp.MustCompile(`tare_(?:serve|wire)\.go:\d+:\d+: ([^\n]*)`) // in another version of tare
	absent    = regexp.MustCompile(`no required module provides package github\.com/tarebench/tare`)
	noType    = regexp.MustCompile(userFile + `:\d+:\d+: (user\.Target[^\n]*)`)
)

// buildError gives an error of package build its exit code, and says what is wrong with the function Target.
func buildError(pattern string, err error) error {
	e := (*build.Error)(nil)
	if !errors.As(err, &e) {
		return err
	}
	const hint = "the package of a target has " + Signature
	if m := unlike.FindStringSubmatch(e.Output); m != nil {
		return exit.Usage(fmt.Errorf("%s: its Target is a %s", pattern, m[1]), hint)
	}
	if undefined.MatchString(e.Output) {
		return exit.Usage(fmt.Errorf("%s: it has no function Target", pattern), hint)
	}
	if m := noType.FindStringSubmatch(e.Output); m != nil {
		return exit.Usage(fmt.Errorf("%s: its Target is no function: %s", pattern, m[1]), hint)
	}
	if absent.MatchString(e.Output) {
		return exit.Failed(fmt.Errorf("%s: its module does not require github.com/tarebench/tare", pattern), "in that module: go get github.com/tarebench/tare/load@latest")
	}
	if m := skewed.FindStringSubmatch(e.Output); m != nil {
		return exit.Failed(fmt.Errorf("%s: its module has another version of github.com/tarebench/tare than this program: %s", pattern, m[1]), tareVersion)
	}
	if e.Absent {
		return exit.Usage(err, e.Hint)
	}
	return exit.Failed(err, e.Hint)
}
