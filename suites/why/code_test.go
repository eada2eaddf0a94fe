package why

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/binary/disasm"
	"github.com/tarebench/tare/internal/binary/objfile"
)

// A function is the machine code of one function, without addresses.
type function struct {
	entry    uint64
	ofTest   bool     // in a test file
	text     []string // instructions
	calls    []string // names of the functions that it calls directly
	indirect int      // calls through a register or memory
}

// count returns how many of the calls are of functions whose names begin with prefix.
func (f function) count(prefix string) int {
	n := 0
	for _, c := range f.calls {
		if strings.HasPrefix(c, prefix) {
			n++
		}
	}
	return n
}

// code returns the functions of the side's package in a binary, by their names without its path. Benchmarks and tests are
// among them.
func (s *side) code(t *testing.T, binary string) map[string]function {
	t.Helper()
	f, err := objfile.Open(binary)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	table, err := f.Functions()
	if err != nil {
		t.Fatal(err)
	}
	data, err := f.Data()
	if err != nil {
		t.Fatal(err)
	}
	r := reader{f, table, data}
	all := map[string]function{}
	for fn := range table.All() {
		if name, ok := strings.CutPrefix(fn.Name, modulePath+"/"+s.seed.Package+"."); ok {
			all[name] = r.read(t, fn)
		}
	}
	if len(all) == 0 {
		t.Fatalf("%s has no function of package %s", binary, s.seed.Package)
	}
	return all
}

type reader struct {
	file  *objfile.File
	table *objfile.Functions
	data  *objfile.Data
}

func (r reader) read(t *testing.T, fn objfile.Function) function {
	t.Helper()
	out := function{entry: fn.Entry, ofTest: strings.HasSuffix(fn.File, "_test.go")}
	code, err := r.file.Text(fn)
	if err != nil {
		t.Fatal(err)
	}
	insts, err := disasm.Func(r.file.Arch(), fn.Entry, code, nil, disasm.Go, mark)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range insts {
		if in.Padding {
			continue
		}
		text := marked.ReplaceAllStringFunc(in.Text, r.name)
		if in.Direct() {
			to := "+" + strconv.FormatUint(in.Target-fn.Entry, 16)
			if in.Target < fn.Entry || in.Target >= fn.End {
				callee, _ := r.table.Find(in.Target)
				to = callee.Name
				out.calls = append(out.calls, to)
			}
			text = in.Op + " " + to
		}
		if in.Flow == disasm.IndirectCall {
			out.indirect++
		}
		out.text = append(out.text, text)
	}
	return out
}

// mark has the disassembler write each address as a mark, which name replaces.
func mark(addr uint64) (string, uint64) { return "@" + strconv.FormatUint(addr, 16) + "@", addr }

var marked = regexp.MustCompile(`@[0-9a-f]+@`)

// name returns the name of what is at a marked address; that of a constant is its place in read-only data, which is left out.
func (r reader) name(mark string) string {
	addr, _ := strconv.ParseUint(strings.Trim(mark, "@"), 16, 64)
	if f, ok := r.table.Find(addr); ok {
		return f.Name
	}
	if d, ok := r.data.Find(addr); ok {
		return d.Name
	}
	return "constant"
}

// differing returns the names of functions whose code differs, or that one of the sides lacks, without those of
// test files.
func differing(base, changed map[string]function) []string {
	var names []string
	for name, f := range base {
		if g, ok := changed[name]; !f.ofTest && (!ok || !slices.Equal(f.text, g.text)) {
			names = append(names, name)
		}
	}
	for name, g := range changed {
		if _, ok := base[name]; !ok && !g.ofTest {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
