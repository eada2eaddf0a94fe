package instructions

import (
	"cmp"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/binary/gofunc"
	"github.com/tarebench/tare/record"
)

// emulated are features that Go's libraries ask for and valgrind's processor lacks, as /proc/cpuinfo writes them.
var emulated = []struct{ flag, name string }{{"avx512f", "AVX-512"}, {"adx", "ADX"}, {"vpclmulqdq", "VPCLMULQDQ"}}

// missingFeatures returns the features of this machine's processor that valgrind's lacks.
func missingFeatures(cpuinfo string) (out []string) {
	f, err := os.Open(cpuinfo)
	if err != nil {
		return nil
	}
	defer f.Close()
	flags := flagsOf(f)
	for _, x := range emulated {
		if slices.Contains(flags, x.flag) {
			out = append(out, x.name)
		}
	}
	return out
}

// fewChoosing is the share of instructions in functions that may choose by the processor, from which on it is said.
const fewChoosing = 0.01

// otherProcessor returns a warning if more than 1 % of the instructions are in functions that may execute others on this
// machine's processor. It returns nil if there are fewer, or if the processor has nothing that valgrind's lacks.
func (f *fork) otherProcessor(lo, hi counts) *record.Warn {
	if len(f.lacks) == 0 {
		return nil
	}
	sum, of := int64(0), map[string]int64{}
	for _, c := range []struct {
		counts
		sign int64
	}{{lo, -1}, {hi, 1}} {
		for r, n := range c.rows {
			if choosesByProcessor(&r) {
				sum, of[r.fn] = sum+c.sign*n, of[r.fn]+c.sign*n
			}
		}
	}
	share := float64(sum) / float64(hi.total-lo.total)
	if share < fewChoosing {
		return nil
	}
	var names []string
	for name, n := range of {
		if 10*n >= sum {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(of[b], of[a]), cmp.Compare(a, b))
	})
	return diagnosis.Warn(diagnosis.OtherProcessor, diagnosis.Facts{"share": units.Percent(share), "features": strings.Join(f.lacks, ", "), "functions": units.List(names, 3)})
}

// choosing are the packages of the standard library whose assembly asks for features that valgrind's processor lacks.
var choosing = []string{"math/big/", "crypto/", "hash/crc32/", "internal/runtime/gc/scan/"}

// choosesByProcessor reports whether a row is of code that may ask for such features: assembly of some packages of the
// standard library and of all others, and the collector's scan.
func choosesByProcessor(r *row) bool {
	dir := path.Dir(r.file) + "/"
	for _, of := range choosing {
		if strings.HasPrefix(dir, of) || strings.Contains(dir, "/src/"+of) {
			return path.Ext(r.file) == ".s" || of == choosing[len(choosing)-1]
		}
	}
	pkg := gofunc.Package(r.fn)
	return path.Ext(r.file) == ".s" && pkg != "" && !gofunc.IsStd(pkg)
}
