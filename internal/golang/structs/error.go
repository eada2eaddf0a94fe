package structs

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/suggest"
	"github.com/tarebench/tare/internal/binary/objfile"
	"github.com/tarebench/tare/internal/golang/build"
)

// broken returns what keeps a package from being read, nil if nothing does: the first error of what it imports, or of
// its own.
func broken(p *packages.Package) error {
	for p := range packages.Postorder([]*packages.Package{p}) {
		if len(p.Errors) > 0 {
			return goError(p.PkgPath, strings.TrimPrefix(p.Errors[0].Error(), "-: "))
		}
	}
	return nil
}

// goError returns the first error in what the go command printed about a package, as one line with advice.
func goError(pkg, output string) error {
	msg, more := build.FirstError(output)
	if pkg != "" && !strings.Contains(msg, pkg) {
		msg = pkg + ": " + msg
	}
	if more > 0 {
		msg += fmt.Sprintf(" (and %d more)", more)
	}
	for _, x := range explanations {
		if m := x.re.FindStringSubmatchIndex(msg); m != nil {
			hint := string(x.re.ExpandString(nil, x.hint, msg, m))
			return x.code(errors.New(x.re.ReplaceAllString(msg, cmp.Or(x.msg, "$0"))), hint)
		}
	}
	return exit.Failed(errors.New(msg), "")
}

// explanations replaces errors of the go command by clearer ones. msg replaces the
// match of re, hint says what to do, and $1 in both is the submatch.
var explanations = []struct {
	re        *regexp.Regexp
	msg, hint string
	code      func(error, string) error
}{
	{regexp.MustCompile(`.*executable file not found.*`), "the go command was not found in PATH", "tare layout --binary FILE TYPE needs none", exit.Failed},
	{regexp.MustCompile(`package (\S+) is not in std.*`), "there is no package $1",
		"a directory is written ./$1; a type of this directory has a capital or a dot in front, as in Queue or .queue", exit.Usage},
	{regexp.MustCompile(`no required module provides package ([^\s;]+)(; to add it:.*)?`), "no module that this one requires provides the package $1", "go get $1", exit.Failed},
	{regexp.MustCompile(`stat (\S+): directory not found`), "no such directory", "", exit.Usage},
	{regexp.MustCompile(`go\.mod file not found.*|cannot find main module.*`), "no go.mod in this directory or above",
		"cd into a module, or name a package of the standard library", exit.Failed},
	{regexp.MustCompile(`no Go files in \S+`), "no Go files in this directory", "", exit.Failed},
	{regexp.MustCompile(`build constraints exclude all Go files.*`), "", "--arch and --tags decide which files take part", exit.Failed},
}

// notFound returns the error for a type that is not among the names at a place. Its hint is the most similar of them;
// packages and arguments do not count.
func notFound(in, name string, names []string) error {
	bare := func(name string) string {
		_, base := objfile.SplitType(name)
		base, _, _ = strings.Cut(base, "[")
		return base
	}
	hint := ""
	if near := suggest.Similar(bare(name), names, bare); len(near) > 0 {
		hint = "there is " + strings.Join(near, ", ")
	}
	return exit.Failed(fmt.Errorf("%s: no type %s", in, name), hint)
}
