package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/binary/layout"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/golang/structs"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/show/subjects/layouttext"
)

// layoutFlags are the flags of tare layout.
type layoutFlags struct {
	binary   string
	arch     string
	tags     string
	line     int64
	all      bool
	separate bool
	format   string
	out      string
	verbose  bool
}

func newLayout(s streams) *cobra.Command {
	f := &layoutFlags{}
	return verb{
		use:   "layout [flags] [packages] Type...",
		short: "Show the layout of structs: padding, cache lines, false sharing",
		long: `tare layout shows the fields of structs with their offsets, the padding between
them and the cache lines they lie on, names fields that are written by several
goroutines and share a line, and gives the order of the fields that takes the least.
Nothing is run. What is written by several goroutines is a guess: fields of the types
of sync/atomic, fields used as &x.f in calls of sync/atomic, and locks.

An argument is a type if it is an exported name (SPSC, or 'Ring[int]' with the
arguments of a generic type), or if a dot and a name end it: sync.Pool, ./queue.SPSC,
.node for a type of the current package that is not exported. All else is a package,
as for go. Types without a package are looked for in the packages that are named;
default: the one in the current directory.

With --binary the types are those in the debug data of a program that was built, and
all arguments are types, with the path of their package, its last part, or none; with
--all they are packages.`,
		example: `  tare layout SPSC
  tare layout ./queue SPSC Worker
  tare layout sync.Pool sync.poolLocal
  tare layout --arch 386 ./queue.'Ring[time.Time]'
  tare layout --apart -o spsc.svg ./queue.SPSC
  tare layout --all ./...
  tare layout --binary ./server example.org/queue.SPSC`,
		run: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), s, args)
		},
		register: func(fl *pflag.FlagSet) {
			fl.StringVar(&f.binary, "binary", "", "read the types from the debug data of this `FILE`")
			fl.BoolVar(&f.all, "all", false, "all structs of the packages, those first that another order makes the smallest")
			fl.BoolVar(&f.separate, "apart", false, "also give an order with atomic fields on lines of their own")
			fl.StringVar(&f.arch, "arch", "", "machine, as in GOARCH: amd64, arm64, 386 (default this one)")
			fl.Int64Var(&f.line, "line", 64, "`bytes` of a cache line; 128 for pairs of lines that are fetched together")
			fl.StringVar(&f.tags, "tags", "", "build tags, comma-separated")
			flags.Output(fl, &f.out, "write to `FILE` instead of stdout; its suffix names the format: .txt, .json, .svg")
			flags.Format(fl, &f.format, "text", "json")
			flags.Verbose(fl, &f.verbose, "name all types that are left out")
		},
	}.command()
}

func (f *layoutFlags) run(ctx context.Context, s streams, args []string) error {
	format, err := f.check()
	if err != nil {
		return err
	}
	q, err := f.query(args)
	if err != nil {
		return err
	}
	found, err := f.find(ctx, q)
	if err != nil {
		return err
	}
	all := []*layout.Struct{}
	for _, n := range found.Structs {
		all = append(all, layout.Measure(n, f.line, f.separate))
	}
	if f.all {
		layout.SortByWaste(all)
	}
	if err := session.WriteOutput(f.out, s.out, func(w io.Writer) error { return f.write(w, format, all) }); err != nil {
		return err
	}
	if n := len(found.Generic); n > 0 {
		names := firstFew(found.Generic)
		if f.verbose {
			names = strings.Join(found.Generic, ", ")
		}
		exit.Message(s.err, "hint", "left out because their size depends on arguments: "+names)
	}
	for _, err := range found.Broken {
		printError(s.err, nil, err)
	}
	if len(found.Broken) > 0 {
		return exit.Silent(exit.Failure)
	}
	return nil
}

// toFile reports whether the output goes to a file.
func (f *layoutFlags) toFile() bool { return f.out != "" && f.out != "-" }

// check finds mistakes in the flags, and the format of the output.
func (f *layoutFlags) check() (format string, err error) {
	if format, err = formatOf("--format", f.format, f.out, "text", "json", "svg"); err != nil {
		return "", err
	}
	switch {
	case f.line < 8 || f.line > 4096 || f.line&(f.line-1) != 0:
		err = usageError(fmt.Errorf("--line %d is not the size of a cache line: a power of two from 8 to 4096", f.line), "")
	case f.binary != "" && f.arch != "":
		err = usageError(errors.New("--arch: a --binary is for one machine only"), "")
	case f.binary != "" && f.tags != "":
		err = usageError(errors.New("--tags has no effect with --binary: the binary is built already"), "")
	case format == "svg" && !f.toFile():
		err = usageError(errors.New("--format svg needs a file"), "-o FILE.svg")
	case format == "svg" && f.all:
		err = usageError(errors.New("--all is too much for one picture"), "name the types to draw")
	case f.toFile():
		err = session.CheckWritable(f.out)
	}
	return format, err
}

// query returns what the arguments ask for.
func (f *layoutFlags) query(args []string) (q structs.Query, err error) {
	hint := strings.Join(append([]string{"tare layout --all"}, args...), " ")
	switch {
	case f.binary == "":
		q = structs.ParseArgs("", args)
	case f.all:
		q.Packages = args
	default:
		q.Types = structs.ParseTypes(args)
		hint = "tare layout --binary " + f.binary + " PACKAGE.TYPE, or --all"
	}
	q.Arch, q.Tags = f.arch, f.tags
	switch {
	case f.all && len(q.Types) > 0:
		err = usageError(fmt.Errorf("--all, and the type %s", q.Types[0]), "give packages with --all, or leave it out")
	case f.all || len(q.Types) > 0:
	case len(args) > 0:
		err = usageError(fmt.Errorf("layout needs the name of a type, and %s is a package", args[0]), hint)
	default:
		err = usageError(errors.New("layout needs the name of a type"), hint)
	}
	return q, err
}

func (f *layoutFlags) find(ctx context.Context, q structs.Query) (*structs.Found, error) {
	if f.binary != "" {
		return structs.ReadBinary(f.binary, q)
	}
	return structs.Load(ctx, q)
}

func (f *layoutFlags) write(w io.Writer, format string, structs []*layout.Struct) error {
	o := (&outputFlags{color: "auto"}).options(w)
	o.UTF8 = o.UTF8 || f.toFile()
	switch {
	case format == "svg":
		return layouttext.SVG(w, structs)
	case format == "json":
		return termtext.NewJSON(w, "  ").Encode(map[string]any{"structs": structs})
	case f.all:
		return layouttext.List(w, structs, o)
	}
	return layouttext.Text(w, structs, o)
}
