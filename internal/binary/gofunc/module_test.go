package gofunc

import "testing"

func TestModuleOf(t *testing.T) {
	for _, c := range []struct {
		name, file string
		want       Module
	}{
		{"main.main", "/src/app/main.go", Own},
		{"example.com/app/x.(*T[go.shape.int]).F", "/src/app/x/x.go", Own},
		{"app/x.F", "", Own},
		{"github.com/a/b.F", "/home/u/go/pkg/mod/github.com/a/b@v1.2.3/b.go", Dependency},
		{"github.com/a/b/v2.F", "github.com/a/b/v2@v2.0.1/b.go", Dependency},
		{"github.com/a/b.F", "/src/app/vendor/github.com/a/b/b.go", Dependency},
		{"example.com/me@home/x.F", "/src/me@home/x.go", Own},
		{"io.Copy", "/home/u/go/pkg/mod/example.com/io@v0.1.0/io.go", Dependency},
		{"strings.Index", "/usr/local/go/src/strings/strings.go", Standard},
		{"vendor/golang.org/x/net/idna.ToASCII", "/usr/local/go/src/vendor/golang.org/x/net/idna/idna.go", Standard},
		{"net/http.(*conn).serve", "", Standard},
		{"runtime.mapaccess1", "/usr/local/go/src/internal/runtime/maps/runtime.go", Runtime},
		{"time.Sleep", "/usr/local/go/src/runtime/time.go", Runtime},
		{"type:.eq.main.T", "", Runtime},
		{"runtime.gcDrain", "/usr/local/go/src/runtime/mgcmark.go", Collector},
		{"runtime.scanobject", "", Collector},
		{"runtime.gcDrain", "", Collector},
		{"runtime.mallocgc", "", Runtime},
		{"[kernel]", "", Other},
		{"(unknown)", "", Other},
		{"0x401000", "", Other},
	} {
		if got := ModuleOf(c.name, c.file); got != c.want {
			t.Errorf("%s in %s: %s, want %s", c.name, c.file, got, c.want)
		}
	}
	for m := range Modules {
		if m.String() == "" {
			t.Errorf("module %d has no words", m)
		}
	}
}
