package route

import (
	"strings"
	"testing"
)

var resources = strings.Fields("accounts addresses carts categories coupons customers discounts events invoices items labels " +
	"locations messages orders payments products refunds reviews shipments stores taxes users vendors webhooks " +
	"archives backups batches campaigns charges contacts contracts countries currencies deliveries devices domains " +
	"exports files folders groups imports jobs keys languages licenses members notes offers permissions")

func router() *Router {
	var r Router
	for i, name := range resources {
		r.Handle("/api/v1/"+name, 10*i+1)
		r.Handle("/api/v1/"+name+"/:id", 10*i+2)
		r.Handle("/api/v1/"+name+"/:id/history/:version", 10*i+3)
	}
	return &r
}

func paths() []string {
	var all []string
	for _, name := range resources {
		all = append(all, "/api/v1/"+name, "/api/v1/"+name+"/4711", "/api/v1/"+name+"/4711/history/17")
	}
	return all
}

func TestFind(t *testing.T) {
	r := router()
	for i, p := range paths() {
		if m := r.Find(p); m.Handler != 10*(i/3)+i%3+1 || m.N != i%3 {
			t.Errorf("%s: %+v", p, m)
		}
	}
	if m := r.Find("/api/v2/users"); m.Handler != 0 {
		t.Errorf("%+v", m)
	}
}

func BenchmarkFind(b *testing.B) {
	r, all := router(), paths()
	n := 0
	for b.Loop() {
		for _, p := range all {
			m := r.Find(p)
			n += m.Handler
		}
	}
}
