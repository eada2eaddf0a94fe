package alloc_test

import (
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/profile/alloc"
	"github.com/tarebench/tare/internal/testkit/proftest"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// stdPackages have a few hundred benchmarks of all kinds. Those of package bytes take too much memory.
var stdPackages = []string{
	"bufio", "container/heap", "context", "encoding/base64", "encoding/binary", "encoding/csv", "encoding/gob", "encoding/hex",
	"encoding/json", "encoding/pem", "encoding/xml", "errors", "fmt", "html", "log", "log/slog", "maps", "net/netip", "net/textproto",
	"net/url", "os", "path/filepath", "reflect", "regexp", "slices", "sort", "strconv", "strings", "sync", "text/template", "time", "unicode/utf8",
}

// tooLong are benchmarks whose forks take minutes.
const tooLong = "TypeFieldsCache|/1M$|/32M$"

// TestSums counts in benchmarks of the standard library. In at least 98 % of them the sites add up to the objects and
// bytes that package testing counts in the same window. It lists the others.
func TestSums(t *testing.T) {
	if !testutil.Soak() {
		t.Skip("builds and runs 32 packages: TARE_SOAK=1 runs it")
	}
	const want, least = 0.98, 300
	all, allocating, exact := 0, 0, 0
	for _, pkg := range stdPackages {
		t.Run(strings.ReplaceAll(pkg, "/", "."), func(t *testing.T) {
			s := proftest.OpenPackage(t, alloc.Profiler(), "testdata/subjects", pkg, *toolchain.Alloc())
			for _, name := range s.Names(tooLong) {
				f, err := s.TryFork(record.Case{Name: name, Pkg: pkg}, "30x")
				if err != nil {
					t.Log(err)
					continue
				}
				a, _ := attached(t, f)
				all++
				if a.Objects > 0 {
					allocating++
				}
				if a.Unseen == (record.AllocCount{}) {
					exact++
				} else {
					t.Logf("%s: %d objects of %d bytes, unseen %+v", name, a.Objects, a.Bytes, a.Unseen)
				}
			}
		})
		t.Logf("%s: so far %d of %d benchmarks exact, %d allocate", pkg, exact, all, allocating)
	}
	if all < least || float64(exact) < want*float64(all) {
		t.Errorf("%d of %d benchmarks are exact, want %g of at least %d", exact, all, want, least)
	}
}
