// Package benchorder runs a benchmark command that another machine has ordered, in a checkout of this machine, and hands
// over the lines of its record as they are written.
//
//	err := benchorder.Run(ctx, "/home/gopher/project", benchorder.Order{
//		Args: []string{"--against", "main", "./codec"}, Machine: "a", Group: id,
//	}, send)
//
// An order cannot name files of this machine, run commands or set variables: see [Order.Validate]. It does run the
// benchmarks of the checkout, at any revision that its repository has.
package benchorder

import (
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"

	"github.com/spf13/pflag"
)

// Order is a command line of tare bench.
type Order struct {
	Args []string `json:"args"` // what follows "tare bench": flags and packages

	// Machine and Group are put into the record's first line: the name of this machine, and that of all runs of the order.
	Machine string `json:"machine"`
	Group   string `json:"group"`
}

// words are the flags that take a value, each with a pattern of the values that an order may give. What tare bench makes
// of a value is its own business; the patterns keep out what could name a file or be taken for a flag.
var words = map[string]*regexp.Regexp{
	"bench": anyText, "skip": anyText, "filter": anyText, "include": anyText, "exclude": anyText,
	"against": regexp.MustCompile(`^[\w][\w./^~@{}+-]{0,199}$`),
	"prof":    regexp.MustCompile(`^[a-z, -]+$`),
	"tags":    regexp.MustCompile(`^[\w.,]+$`),
	"forks":   number, "warmup": number, "iterations": number, "prof-forks": number, "layouts": number,
	"time": duration, "budget": duration, "timeout": duration, "spread": duration,
	"gomaxprocs": regexp.MustCompile(`^[0-9, ]+$`), "cpu": regexp.MustCompile(`^[0-9, ]+$`),
	"benchtime": regexp.MustCompile(`^[0-9]+x$`), "gogc": regexp.MustCompile(`^(off|[0-9]+)$`),
	"memory-limit": size, "memory-max": size, "seed": regexp.MustCompile(`^[0-9a-fA-F]+$`),
	"mode": name, "order": name, "correction": name, "test": name, "precision": share, "confidence": share, "threshold": share,
}

var (
	anyText  = regexp.MustCompile(`^[^\x00]{0,1000}$`)
	number   = regexp.MustCompile(`^[0-9]{1,6}$`)
	duration = regexp.MustCompile(`^[0-9a-zµ.]{1,20}$`)
	size     = regexp.MustCompile(`^[0-9a-zA-Z.]{1,20}$`)
	name     = regexp.MustCompile(`^[a-zA-Z]{1,20}$`)
	share    = regexp.MustCompile(`^[0-9.]{1,20}%?$`)
)

// switches are the flags without a value.
var switches = []string{"quick", "short", "deep", "gc-before", "no-repeat", "no-priority"}

// Validate returns why an order is not carried out, nil if it is. Allowed are flags that choose benchmarks, how they are
// measured and how sides are judged, a revision of the repository by --against, and packages by patterns relative to the
// checkout or by import path. Not allowed is everything else: flags that name files or directories (-o, --resume, --side),
// run commands or set variables (--side-flags, --env), open addresses (--live), package@version, and arguments of the
// test binaries.
func (o Order) Validate() error {
	_, err := o.command()
	return err
}

// command returns the arguments behind "tare bench", as they were understood.
func (o Order) command() ([]string, error) {
	for what, s := range map[string]string{"machine": o.Machine, "group": o.Group} {
		if !label.MatchString(s) {
			return nil, fmt.Errorf("%s %q is not a name: letters, digits, dots, dashes and underscores", what, s)
		}
	}
	var out []string
	var bad error
	add := func(f *pflag.Flag, value string) error {
		if pattern := words[f.Name]; pattern != nil && !pattern.MatchString(value) {
			bad = fmt.Errorf("--%s %q: an order may not have this value", f.Name, value)
			return bad
		}
		out = append(out, "--"+f.Name+"="+value)
		return nil
	}
	fl := pflag.NewFlagSet("bench", pflag.ContinueOnError)
	fl.SetOutput(io.Discard)
	fl.Usage = func() {}
	for name := range words {
		fl.String(name, "", "")
	}
	for _, name := range switches {
		fl.Bool(name, false, "")
	}
	switch err := fl.ParseAll(o.Args, add); {
	case bad != nil:
		return nil, bad
	case err != nil:
		return nil, fmt.Errorf("an order may not have this: %w", err)
	case fl.ArgsLenAtDash() >= 0:
		return nil, errors.New("an order may not have arguments of the test binaries, behind --")
	}
	for _, p := range fl.Args() {
		if err := checkPackage(p); err != nil {
			return nil, err
		}
	}
	return append(out, fl.Args()...), nil
}

// label is what names of machines and groups look like. They are parts of the names of files.
var label = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// packagePattern is a pattern of packages. It has no backslash and no @, which begins a version.
var packagePattern = regexp.MustCompile(`^[\w.][\w./~+-]{0,299}$`)

// checkPackage refuses packages outside of the checkout and its module.
func checkPackage(p string) error {
	base := strings.TrimSuffix(strings.TrimSuffix(p, "..."), "/")
	switch {
	case !packagePattern.MatchString(p):
		return fmt.Errorf("package %q: an order names packages by ./path, ./... or import path, without a version", p)
	case path.Clean(base) == ".." || strings.HasPrefix(path.Clean(base), "../") || strings.Contains(p, "/../"):
		return fmt.Errorf("package %q is outside of the checkout", p)
	}
	return nil
}
