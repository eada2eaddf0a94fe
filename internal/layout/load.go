package layout

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Found is the answer to a query.
type Found struct {
	Structs []*Node
	// Generic are types that were left out of all, because their size depends on
	// arguments.
	Generic []string
	// Broken says what is wrong with packages that were left out.
	Broken []error
}

// Load finds structs in packages. Nothing of them is run; what they import is compiled, unless it was before. The
// program that reads their sources is built at its first use with a version of Go.
func Load(ctx context.Context, q Query) (*Found, error) {
	if !slices.Contains(machines, q.arch()) {
		return nil, &Error{Msg: fmt.Sprintf("no machine is called %q", q.Arch), Hint: "go tool dist list names them, behind the slash"}
	}
	l := &loader{query: q}
	if err := l.read(ctx); err != nil {
		return nil, err
	}
	if len(l.packages) == 0 {
		return nil, l.broken[0]
	}
	if len(q.Types) == 0 {
		return l.all(), nil
	}
	found, err := l.wanted()
	if n := (*NotFoundError)(nil); errors.As(err, &n) && len(l.broken) > 0 {
		return nil, l.broken[0] // it may be in there
	}
	return found, err
}

// machines are those whose sizes of types Go knows, as in GOARCH.
var machines = []string{"386", "amd64", "amd64p32", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle",
	"ppc64", "ppc64le", "riscv64", "s390x", "sparc64", "wasm"}

type loader struct {
	query    Query
	packages []*pkg  // that could be read
	broken   []error // what is wrong with the others, each fault once
}

// pkg is a package that was read from its sources.
type pkg struct {
	*listed
	answer
}

// read lists the packages of the query and has their sources read.
func (l *loader) read(ctx context.Context) error {
	reader := findReader(ctx, l.query.Dir) // while go lists
	defer reader.close()
	roots, all, err := list(ctx, l.query)
	if err != nil {
		return err
	}
	var whole []*listed
	for _, r := range roots {
		if r.broken(all) == nil {
			whole = append(whole, r)
		}
	}
	answers, err := reader.ask(ctx, l.query, whole, all)
	if err != nil {
		return err
	}
	for _, r := range roots {
		if err := r.broken(all); err != nil {
			l.addBroken(err)
			continue
		}
		a := answers[0]
		answers = answers[1:]
		if a.Fault != "" {
			l.addBroken(firstError(r.ImportPath, a.Fault))
			continue
		}
		l.packages = append(l.packages, &pkg{r, a})
	}
	return nil
}

func (l *loader) addBroken(err error) {
	if !slices.ContainsFunc(l.broken, func(e error) bool { return e.Error() == err.Error() }) {
		l.broken = append(l.broken, err)
	}
}

// all returns the structs of all packages.
func (l *loader) all() *Found {
	found := &Found{Broken: l.broken}
	for _, p := range l.packages {
		for _, s := range p.Structs {
			found.Structs = append(found.Structs, nodeOf(s, p.ImportPath, l.query.arch()))
		}
		for _, name := range p.Generic {
			found.Generic = append(found.Generic, p.ImportPath+"."+name)
		}
	}
	return found
}

// wanted returns the types that were asked for, each as often as there is one.
func (l *loader) wanted() (*Found, error) {
	found := &Found{Broken: l.broken}
	for _, want := range l.query.Types {
		in, names, n := []string{}, []string{}, 0
		for _, p := range l.packages {
			if !l.query.meant(want, p.listed) {
				continue
			}
			s := p.next()
			switch {
			case s.Msg != "":
				return nil, &Error{Msg: s.Msg, Hint: s.Hint}
			case s.Node != nil:
				found.Structs = append(found.Structs, nodeOf(s, p.ImportPath, l.query.arch()))
				n++
			}
			in, names = append(in, p.ImportPath), append(names, p.Names...)
		}
		if n == 0 {
			base, _, _ := strings.Cut(want.Type, "[")
			return nil, &NotFoundError{Type: want.Type, In: shorten(in), Near: nearNames(base, names)}
		}
	}
	return found, nil
}

// next returns the answer for the next type that was asked for in the package.
func (p *pkg) next() found {
	s := p.Structs[0]
	p.Structs = p.Structs[1:]
	return s
}

// sources returns the paths of the files that are compiled.
func (p *listed) sources() (files []string) {
	for _, name := range p.CompiledGoFiles {
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.Dir, name)
		}
		files = append(files, name)
	}
	return files
}

// shorten names the places of a long list by their number.
func shorten(in []string) string {
	if len(in) > 3 {
		return fmt.Sprintf("%d packages from %s to %s", len(in), in[0], in[len(in)-1])
	}
	return strings.Join(in, ", ")
}
