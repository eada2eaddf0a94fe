package build

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestSiteOf: what is asked of go about a package is asked where, and how, it is built.
func TestSiteOf(t *testing.T) {
	opt := Options{Dir: t.TempDir(), Env: []string{"A=b"}, Flags: []string{"-race"}, Tags: "x,y", Toolchain: "go1.99"}
	s, err := SiteOf(opt, Package{})
	if err != nil {
		t.Fatal(err)
	}
	if s.Dir != opt.Dir || !slices.Equal(s.Flags, []string{"-race", "-tags=x,y"}) {
		t.Errorf("%+v", s)
	}
	p := Package{at: place{dir: filepath.Join(opt.Dir, "scratch"), env: []string{"GOWORK=off"}, flags: []string{"-mod=mod"}}}
	if s, err = SiteOf(opt, p); err != nil {
		t.Fatal(err)
	}
	if s.Dir != p.at.dir || !slices.Equal(s.Flags, []string{"-race", "-tags=x,y", "-mod=mod"}) {
		t.Errorf("%+v", s)
	}
	for _, kv := range []string{"A=b", "GOTOOLCHAIN=go1.99", "GOWORK=off", "PWD=" + p.at.dir} {
		if !slices.Contains(s.Env, kv) {
			t.Errorf("no %s in %q", kv, s.Env)
		}
	}
}
