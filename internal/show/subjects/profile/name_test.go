package profile

import (
	"testing"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/show/table"
)

func TestWithoutPath(t *testing.T) {
	for name, want := range map[string]string{
		"main.main":                                    "main.main",
		"net/http.(*Server).Serve":                     "http.(*Server).Serve",
		"github.com/x/mark/text.(*Reader).Value":       "text.(*Reader).Value",
		"github.com/go-chi/chi/v5.(*Mux).ServeHTTP":    "chi.(*Mux).ServeHTTP",
		"github.com/go-chi/chi/v5/middleware.Logger":   "middleware.Logger",
		"gopkg.in/yaml%2ev3.Unmarshal":                 "yaml.Unmarshal",
		"github.com/x/y.F[github.com/x/z.T]":           "y.F[github.com/x/z.T]",
		"github.com/x/v2/y.(*S[go.shape.int]).f.func1": "y.(*S[go.shape.int]).f.func1",
		"v5.F":       "v5.F",
		"/abs":       "abs",
		"x/v2":       "x",
		"":           "",
		"(unknown)":  "(unknown)",
		"waiting: x": "waiting: x",
	} {
		if got := WithoutPath(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := withoutPaths("net/http.Serve > a.b/c.F"); got != "http.Serve > c.F" {
		t.Error(got)
	}
	for name, want := range map[string]string{
		"github.com/yuin/goldmark/text.(*blockReader).Value":          "text.(*blockReader).Value",
		"github.com/x/y.short":                                        "github.com/x/y.short",
		"a/b.(*aVeryLongNameOfAType).WithAVeryLongMethod > c/d.f":     "b.(*aVeryLongNam…ongMethod > d.f",
		"github.com/yuin/goldmark/v2/text.(*blockReader).Value > x.y": "text.(*blockReader).Value > x.y",
	} {
		tb := &table.Table{Columns: []table.Column{{}}, Short: withoutPaths}
		tb.Row(name)
		if got := tb.Fit(termtext.Charset{UTF8: true}, 32, 1).Lines(false)[0]; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
