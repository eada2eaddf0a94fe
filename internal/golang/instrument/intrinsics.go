package instrument

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/golang/toolchain"
)

// intrinsics contains the functions whose calls the compiler replaces by instructions, by package and name. Probes in
// their bodies would never run.
type intrinsics map[string]map[string]bool

const whyIntrinsic = "the compiler replaces its calls by instructions"

// readIntrinsics reads the compiler's own table, which depends on the processor and grows with most releases. Without
// the compiler's sources it returns builtinIntrinsics.
func readIntrinsics(t *toolchain.Toolchain) intrinsics {
	const home = "cmd/compile/internal/ssagen/intrinsics.go"
	src, err := os.ReadFile(filepath.Join(t.Root, "src", filepath.FromSlash(home)))
	if err != nil {
		return builtinIntrinsics()
	}
	if found := parseIntrinsics(t, src); len(found) > 0 {
		return found
	}
	return builtinIntrinsics()
}

// parseIntrinsics finds the calls that fill the table: add and addF have a function and processors as arguments, alias
// has two functions.
func parseIntrinsics(t *toolchain.Toolchain, src []byte) intrinsics {
	file, err := parser.ParseFile(token.NewFileSet(), "intrinsics.go", src, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	in := make(intrinsics)
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			return mayHold(t, n.Cond)
		case *ast.CallExpr:
			in.call(n, t.Arch)
		}
		return true
	})
	return in
}

// call adds the function named by a call of the table if it applies to the processor.
func (in intrinsics) call(call *ast.CallExpr, goarch string) {
	fun, ok := call.Fun.(*ast.Ident)
	if !ok {
		return
	}
	names := map[string]int{"add": 2, "addF": 2, "alias": 4}[fun.Name]
	if names == 0 || len(call.Args) < names {
		return
	}
	var text []string
	for _, arg := range call.Args[:names] {
		lit, ok := arg.(*ast.BasicLit)
		if !ok {
			break // a function that builds it, or a generated name
		}
		s, err := strconv.Unquote(lit.Value)
		if err != nil {
			return
		}
		text = append(text, s)
	}
	if len(text) < names || names == 4 && !in[text[2]][text[3]] {
		return
	}
	archs := call.Args[names:]
	if names == 2 && len(archs) > 0 {
		archs = archs[1:] // after the function that builds it
	}
	for _, arch := range archs {
		if meansArch(arch, goarch) {
			in.add(text[0], text[1])
		}
	}
}

func (in intrinsics) add(pkg, name string) {
	if in[pkg] == nil {
		in[pkg] = make(map[string]bool)
	}
	in[pkg][name] = true
}

// meansArch reports whether an expression of the table may mean the 64-bit processor goarch.
func meansArch(e ast.Expr, goarch string) bool {
	family := strings.TrimSuffix(goarch, "le")
	switch e := e.(type) {
	case *ast.SelectorExpr: // sys.AMD64 or sys.ArchAMD64
		name := e.Sel.Name
		return strings.EqualFold(name, family) || strings.EqualFold(name, "Arch"+goarch)
	case *ast.Ident:
		return e.Name != "p4" && (e.Name != "lwatomics" || family != "ppc64")
	}
	return true
}

// mayHold reports whether a condition can be true: cfg.goriscv64 >= 22 is false in a build for older processors.
func mayHold(t *toolchain.Toolchain, cond ast.Expr) bool {
	b, ok := cond.(*ast.BinaryExpr)
	if !ok || b.Op != token.GEQ {
		return true
	}
	sel, ok := b.X.(*ast.SelectorExpr)
	lit, isLit := b.Y.(*ast.BasicLit)
	if !ok || !isLit {
		return true
	}
	set := map[string]string{"goamd64": t.AMD64, "goppc64": t.PPC64, "goriscv64": t.RISCV64}[sel.Sel.Name]
	least, err := strconv.Atoi(lit.Value)
	level, known := levelOf(set)
	return err != nil || !known || level >= least
}

// levelOf returns the number in v3, power10 or rva22u64.
func levelOf(set string) (level int, known bool) {
	isDigit := func(r rune) bool { return '0' <= r && r <= '9' }
	from := strings.IndexFunc(set, isDigit)
	if from < 0 {
		return 0, false
	}
	digits := set[from:]
	if to := strings.IndexFunc(digits, func(r rune) bool { return !isDigit(r) }); to >= 0 {
		digits = digits[:to]
	}
	level, err := strconv.Atoi(digits)
	return level, err == nil
}

// builtinIntrinsics returns the intrinsics of go1.26 on any processor in packages that can be instrumented.
func builtinIntrinsics() intrinsics {
	in := make(intrinsics)
	for pkg, names := range map[string]string{
		"crypto/internal/constanttime": "Select boolToUint8",
		"math":                         "Abs Ceil Copysign FMA Floor Round RoundToEven Trunc sqrt",
		"math/big":                     "mulWW",
	} {
		for _, name := range strings.Fields(names) {
			in.add(pkg, name)
		}
	}
	return in
}
