package structs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/types"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/tarebench/tare/internal/binary/layout"
	"github.com/tarebench/tare/internal/golang/toolchain"
)

// Found is the answer to a query.
type Found struct {
	Structs []*layout.Node
	Generic []string // types left out of all, because their size depends on arguments
	Broken  []error  // what is wrong with packages that were left out, each fault once
}

// Load finds structs in packages. Nothing of them is run; what they import is compiled, unless it was before.
func Load(ctx context.Context, q Query) (*Found, error) {
	l := &loader{query: q, sizes: types.SizesFor("gc", q.arch())}
	if l.sizes == nil {
		return nil, &Error{Msg: fmt.Sprintf("no machine is called %q", q.Arch), Hint: "go tool dist list names them, behind the slash"}
	}
	if err := l.read(ctx); err != nil {
		return nil, err
	}
	switch {
	case len(l.packages) == 0:
		return nil, l.found.Broken[0]
	case len(q.Types) == 0:
		l.all()
		return &l.found, nil
	}
	err := l.wanted()
	if n := (*NotFoundError)(nil); errors.As(err, &n) && len(l.found.Broken) > 0 {
		return nil, l.found.Broken[0] // it may be in there
	}
	return &l.found, err
}

type loader struct {
	query    Query
	config   packages.Config
	sizes    types.Sizes
	packages []*pkg // that could be read
	found    Found
}

// pkg is a package that was read from its sources.
type pkg struct {
	*packages.Package
	atomic map[*types.Var]bool // fields whose address goes to functions of sync/atomic
	scope  *types.Package      // for the arguments of generic types; made when needed
}

// exported is what is read of packages whose types come from export data, and more of those that are asked for.
const exported = packages.NeedName | packages.NeedImports | packages.NeedExportFile | packages.NeedTypes

// read has the go command of the user list the packages of the query, and reads their sources.
func (l *loader) read(ctx context.Context) error {
	patterns := l.query.patterns()
	for i, pattern := range patterns {
		if missing := toolchain.Missing(l.query.Dir, pattern); missing != "" {
			return &Error{Msg: pattern + ": no such " + missing, Absent: true}
		}
		patterns[i] = "pattern=" + pattern // or a path with an equals sign is a query
	}
	if _, err := exec.LookPath("go"); err != nil {
		return &Error{Msg: "the go command was not found in PATH", Hint: "tare layout --binary FILE TYPE needs none", Err: err}
	}
	l.config = packages.Config{
		Context: ctx, Dir: l.query.Dir, Env: append(os.Environ(), "GOPACKAGESDRIVER=off", "GOARCH="+l.query.arch()),
		Mode: exported | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule,
	}
	if l.query.arch() != runtime.GOARCH {
		l.config.Env = append(l.config.Env, "CGO_ENABLED=0")
	}
	if l.query.Tags != "" {
		l.config.BuildFlags = []string{"-tags=" + l.query.Tags}
	}
	roots, err := packages.Load(&l.config, patterns...)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		_, said, _ := strings.Cut(err.Error(), "stderr: ")
		return firstError("", cmp.Or(said, err.Error()))
	case len(roots) == 0:
		return l.noPackage(ctx)
	}
	for _, p := range roots {
		if err := broken(p); err != nil {
			l.addBroken(err)
			continue
		}
		l.packages = append(l.packages, &pkg{Package: p, atomic: atomicFields(p.Syntax, p.TypesInfo)})
	}
	return nil
}

// noPackage returns why no package matches. It runs the go command once more, because go reports the reason only if
// nothing else is requested.
func (l *loader) noPackage(ctx context.Context) error {
	_, said, err := toolchain.Command{Dir: l.query.Dir, Env: l.config.Env}.Run(ctx, append([]string{"list", "-export", "--"}, l.query.patterns()...)...)
	if err != nil {
		return firstError("", cmp.Or(said, err.Error()))
	}
	return &Error{Msg: strings.Join(l.query.patterns(), " ") + ": no package matches"}
}

func (l *loader) addBroken(err error) {
	if !slices.ContainsFunc(l.found.Broken, func(e error) bool { return e.Error() == err.Error() }) {
		l.found.Broken = append(l.found.Broken, err)
	}
}

// all adds the structs of all packages.
func (l *loader) all() {
	for _, p := range l.packages {
		for _, name := range structNames(p) {
			t := p.Types.Scope().Lookup(name).(*types.TypeName)
			n, named := t.Type().(*types.Named)
			switch {
			case t.IsAlias():
			case named && n.TypeParams().Len() > 0:
				l.found.Generic = append(l.found.Generic, p.PkgPath+"."+name)
			default:
				l.found.Structs = append(l.found.Structs, l.describe(p, t.Type()))
			}
		}
	}
}

// wanted adds the types that were asked for, each as often as there is one.
func (l *loader) wanted() error {
	for _, want := range l.query.Types {
		var in, names []string
		before := len(l.found.Structs)
		for _, p := range l.packages {
			if !l.query.meant(want, p) {
				continue
			}
			t, err := l.lookup(p, want.Type)
			if err != nil {
				return err
			}
			if t != nil {
				l.found.Structs = append(l.found.Structs, l.describe(p, t))
			}
			in, names = append(in, p.PkgPath), append(names, structNames(p)...)
		}
		if len(l.found.Structs) == before {
			if len(in) > 3 {
				in = []string{fmt.Sprintf("%d packages from %s to %s", len(in), in[0], in[len(in)-1])}
			}
			base, _, _ := strings.Cut(want.Type, "[")
			return &NotFoundError{Type: want.Type, In: strings.Join(in, ", "), Near: nearNames(base, names)}
		}
	}
	return nil
}

// structNames returns the names of a package's structs and of aliases of structs.
func structNames(p *pkg) (names []string) {
	for _, name := range p.Types.Scope().Names() {
		if t, ok := p.Types.Scope().Lookup(name).(*types.TypeName); ok {
			if _, ok := t.Type().Underlying().(*types.Struct); ok {
				names = append(names, name)
			}
		}
	}
	return names
}
