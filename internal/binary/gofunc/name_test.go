package gofunc

import "testing"

func TestWithoutTypeArgs(t *testing.T) {
	for name, want := range map[string]string{
		"m.F": "m.F", "m.F[...].func1": "m.F.func1", "m.(*T[go.shape.map[string]int]).M": "m.(*T).M", "a[b": "a",
	} {
		if got := WithoutTypeArgs(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestLinkName: the package of a name in a binary is found again.
func TestLinkName(t *testing.T) {
	for _, pkg := range []string{"m", "example.org/m", "gopkg.in/yaml.v3", "gopkg.in/yaml.v3_test"} {
		if got := Package(LinkName(pkg, "(*T).M")); got != pkg {
			t.Errorf("%s: %s", pkg, got)
		}
	}
	if got := LinkName("gopkg.in/yaml.v3", "F"); got != "gopkg.in/yaml%2ev3.F" {
		t.Error(got)
	}
}
