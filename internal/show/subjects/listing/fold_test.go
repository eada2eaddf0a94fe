package listing

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var addressOf = regexp.MustCompile(`0x[0-9a-f]+`)

// addresses returns those of instructions that rows begin with, in their order.
func addresses(rows []Row) (out []string) {
	for _, r := range rows {
		if len(r.Below) > 0 {
			out = append(out, addresses(r.Below)...)
		} else if !r.Source {
			out = append(out, addressOf.FindString(r.Text))
		}
	}
	return out
}

// TestFold: pages have the regions that texts have, with every instruction once and in its order.
func TestFold(t *testing.T) {
	listings := []*Listing{mustNew(t, loop(), Config{}), mustNew(t, twoEvents(), Config{Counts: Raw})}
	recorded, _ := filepath.Glob("testdata/*.json.gz")
	for _, path := range recorded {
		listings = append(listings, mustNew(t, readAsm(t, path), Config{}))
	}
	nested := 0
	for _, l := range listings {
		shown := l.shown()
		folded := l.Fold()
		if len(folded) != len(shown) {
			t.Fatalf("%d regions, want %d", len(folded), len(shown))
		}
		for i, f := range folded {
			r := shown[i]
			if !r.fn.coded {
				if f.Note == "" {
					t.Errorf("%s has neither code nor a reason", f.Name)
				}
				continue
			}
			if size := r.to - r.from; size > l.cfg.TooBig {
				r = r.around(min(l.cfg.TooBig, aroundHottest))
			}
			got := addresses(f.Rows)
			if len(got) != r.to-r.from {
				t.Errorf("%s: %d instructions, want %d", f.Name, len(got), r.to-r.from)
				continue
			}
			for k, a := range got {
				if want := hex(r.fn.insts[r.from+k].Addr); a != want {
					t.Errorf("%s: instruction %d is %s, want %s", f.Name, k, a, want)
				}
			}
			for _, row := range f.Rows {
				if len(row.Below) > 0 {
					nested++
					if !strings.Contains(row.Text, "↳") {
						t.Errorf("%s: the title of an inlined function is %q", f.Name, row.Text)
					}
				}
			}
		}
	}
	if nested == 0 {
		t.Error("no function was inlined")
	}
}
