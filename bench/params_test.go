package bench

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

type kind int

func (k *kind) UnmarshalText(text []byte) error {
	i := slices.Index([]string{"spsc", "mpmc"}, string(text))
	if i < 0 {
		return errors.New("no such kind")
	}
	*k = kind(i)
	return nil
}

func (k kind) String() string { return [...]string{"spsc", "mpmc"}[k] }

// combinations are the names that Params would run.
func combinations[T any](skip func(T) bool, lists ...List) ([]string, error) {
	axes, err := axesOf(reflect.TypeFor[T](), lists)
	if err != nil {
		return nil, err
	}
	var names []string
	for name, p := range combine[T](axes) {
		if skip == nil || !skip(p) {
			names = append(names, name)
		}
	}
	return names, nil
}

func TestParams(t *testing.T) {
	type all struct {
		I   int8          `bench:"-5, 0x10"`
		U   uint          `bench:"7"`
		F   float32       `bench:"0.1"`
		B   bool          //
		S   string        `bench:"a.b"`
		D   time.Duration `bench:"1500ms"`
		K   kind          `bench:"mpmc"`
		URL string        `bench:"x"`
	}
	got, err := combinations[all](nil)
	want := []string{
		"i=-5/u=7/f=0.1/b=false/s=a.b/d=1.5s/k=mpmc/url=x", "i=-5/u=7/f=0.1/b=true/s=a.b/d=1.5s/k=mpmc/url=x",
		"i=16/u=7/f=0.1/b=false/s=a.b/d=1.5s/k=mpmc/url=x", "i=16/u=7/f=0.1/b=true/s=a.b/d=1.5s/k=mpmc/url=x",
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}

	type two struct {
		Size int    `bench:"10,1000"`
		Kind string `bench:"spsc,mpmc"`
	}
	got, err = combinations(func(p two) bool { return p.Size == 10 && p.Kind == "mpmc" }, P("size", 10, int64(20), 30.0))
	want = []string{"size=10/kind=spsc", "size=20/kind=spsc", "size=20/kind=mpmc", "size=30/kind=spsc", "size=30/kind=mpmc"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
}

// TestParamsWrong has the mistakes that need an error with an explanation.
func TestParamsWrong(t *testing.T) {
	type one struct{ N int }
	type tagged struct {
		N int `bench:"1,2"`
	}
	for i, tt := range []struct {
		got  func() ([]string, error)
		want string
	}{
		{func() ([]string, error) { return combinations[int](nil) }, "int is not a struct"},
		{func() ([]string, error) { return combinations[struct{}](nil) }, "has no fields"},
		{func() ([]string, error) { return combinations[struct{ n int }](nil) }, "field n of struct { n int } is not exported"},
		{func() ([]string, error) {
			return combinations[struct {
				AB int `bench:"1"`
				Ab int `bench:"1"`
			}](nil)
		}, `have the key "ab"`},
		{func() ([]string, error) { return combinations[one](nil) }, `parameter "n" has no values: give field N a tag`},
		{func() ([]string, error) { return combinations[one](nil, P("n")) }, `parameter "n" has no values`},
		{func() ([]string, error) { return combinations[one](nil, P("m", 1), P("n", 1)) }, `a list for "m", which is not a field`},
		{func() ([]string, error) { return combinations[one](nil, P("n", 1), P("n", 2)) }, `two lists for "n"`},
		{func() ([]string, error) { return combinations[one](nil, P("n", 1, 1)) }, `the value 1 is listed twice`},
		{func() ([]string, error) { return combinations[one](nil, P("n", nil)) }, `a value is nil`},
		{func() ([]string, error) { return combinations[one](nil, P("n", 2.5)) }, `2.5 of type float64 does not fit type int`},
		{func() ([]string, error) { return combinations[one](nil, P("n", "a")) }, `a of type string does not fit type int`},
		{func() ([]string, error) { return combinations[one](nil, P("n", uint64(math.MaxUint64))) }, `does not fit type int`},
		{func() ([]string, error) { return combinations[struct{ N uint8 }](nil, P("n", 300)) }, `300 of type int does not fit type uint8`},
		{func() ([]string, error) { return combinations[struct{ N uint8 }](nil, P("n", -1)) }, `does not fit type uint8`},
		{func() ([]string, error) {
			return combinations[struct {
				N uint8 `bench:"256"`
			}](nil)
		}, `"256" is not a valid uint8`},
		{func() ([]string, error) {
			return combinations[struct {
				S string `bench:"a,,b"`
			}](nil)
		}, "a value is empty"},
		{func() ([]string, error) {
			return combinations[struct {
				S string `bench:"a,a"`
			}](nil)
		}, "is listed twice"},
		{func() ([]string, error) { return combinations[struct{ S string }](nil, P("s", "a b")) }, `the value "a b" has a blank`},
		{func() ([]string, error) { return combinations[struct{ S string }](nil, P("s", "a/b")) }, `has a blank, "/", "="`},
		{func() ([]string, error) { return combinations[struct{ S string }](nil, P("s", "a=b")) }, `has a blank, "/", "="`},
		{func() ([]string, error) { return combinations[struct{ S string }](nil, P("s", "a\u00a0b")) }, `has a blank`},
		{func() ([]string, error) { return combinations[struct{ S string }](nil, P("s", "a\x00b")) }, `an unprintable character`},
		{func() ([]string, error) {
			return combinations[struct {
				K kind `bench:"none"`
			}](nil)
		}, "no such kind"},
		{func() ([]string, error) {
			return combinations[struct {
				C chan int `bench:"1"`
			}](nil)
		}, "type chan int cannot be a parameter"},
		{func() ([]string, error) { return combinations[tagged](nil) }, ""},
	} {
		_, err := tt.got()
		if got := fmt.Sprint(err); (tt.want == "") != (err == nil) || !strings.Contains(got, tt.want) && err != nil {
			t.Errorf("case %d: %v, want %q", i, err, tt.want)
		}
	}
}

func TestKeyOf(t *testing.T) {
	for field, want := range map[string]string{
		"N": "n", "Size": "size", "MaxSize": "maxSize", "URL": "url", "URLPath": "urlPath", "IDs": "iDs", "X2": "x2", "Größe": "größe", "Ölstand": "ölstand",
	} {
		if got := keyOf(field); got != want {
			t.Errorf("keyOf(%s) = %s, want %s", field, got, want)
		}
	}
}

func BenchmarkParams(b *testing.B) {
	helper(b)
	type params struct {
		Size int    `bench:"10,100"`
		Kind string `bench:"spsc,mpmc"`
	}
	skip := func(p params) bool { return p.Size == 10 && p.Kind == "mpmc" }
	b.Run("some", func(b *testing.B) {
		Params(b, skip, func(b *testing.B, p params) {
			Run(b, loop)
			b.ReportMetric(float64(p.Size+len(p.Kind)), "sum")
		})
	})
	b.Run("none", func(b *testing.B) {
		Params(b, func(params) bool { return true }, func(b *testing.B, p params) { b.Fatal("ran") })
	})
}

func TestParamsRun(t *testing.T) {
	t.Parallel()
	r := rerun(t, "^BenchmarkParams$", "-test.benchtime=1x", "-test.v")
	for name, want := range map[string]string{"size=10/kind=spsc": "14.00", "size=100/kind=spsc": "104.0", "size=100/kind=mpmc": "104.0"} {
		if x := r.results("BenchmarkParams/some/" + name); len(x) != 1 || x[0]["sum"] != want {
			t.Errorf("%s: %v", name, x)
		}
	}
	if r.code != 0 || strings.Contains(r.out, "size=10/kind=mpmc") || !strings.Contains(r.out, "skip leaves no combination") {
		t.Errorf("status %d:\n%s", r.code, r.out)
	}
	r = rerun(t, "^BenchmarkParams$/^some$/^size=100$/^kind=mpmc$", "-test.benchtime=1x")
	if strings.Count(r.out, "BenchmarkParams/some") != 1 {
		t.Errorf("a single combination:\n%s", r.out)
	}
}
