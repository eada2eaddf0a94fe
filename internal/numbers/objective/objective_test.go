package objective

import (
	"fmt"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"p99<10ms":                   "{p99<10ms   p 99 true false 1e+07}",
		" READ p99.9 <= 20ms ":       "{READ p99.9 <= 20ms READ  p 99.9 false false 2e+07}",
		"read service p50<1us":       "{read service p50<1us READ service p 50 true false 1000}",
		"response max<1s":            "{response max<1s  response max 0 true false 1e+09}",
		"READ-MODIFY-WRITE mean<1ms": "{READ-MODIFY-WRITE mean<1ms READ-MODIFY-WRITE  mean 0 true false 1e+06}",
		"buy.now/login p99<50ms":     "{buy.now/login p99<50ms BUY.NOW/LOGIN  p 99 true false 5e+07}",
		"errors<0.1%":                "{errors<0.1%   errors 0 true true 0.001}",
		"UPDATE errors<=10":          "{UPDATE errors<=10 UPDATE  errors 0 false false 10}",
		"rate>=950/s":                "{rate>=950/s   rate 0 false false 950}",
		"rate>99%":                   "{rate>99%   rate 0 true true 0.99}",
	} {
		o, err := Parse(text)
		if got := fmt.Sprint(struct {
			a, b, c, d string
			p          float64
			s, sh      bool
			bound      float64
		}{o.Text, o.Name, o.Kind, o.Metric, o.Percent, o.Strict, o.Share, o.Bound}); err != nil || got != want {
			t.Errorf("%q: %s, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "p99", "p99<", "p0<1ms", "p101<1ms", "p99>10ms", "p99<10", "p99<-1ms", "p99=10ms", "p.9<1ms", "errors>1", "errors<1.5", "errors<200%", "errors<-1%",
		"rate<10/s", "rate>=x", "rate>=NaN", "READ rate>=10/s", "READ UPDATE p99<1ms", "service errors<1", "p99<10ms;", "p99.9.9<1ms", "median<1ms",
	} {
		if o, err := Parse(text); err == nil {
			t.Errorf("%q is taken: %+v", text, o)
		} else if !strings.Contains(err.Error(), strings.TrimSpace(text)) {
			t.Errorf("%q: the error does not name it: %v", text, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("READ response p99.9<20ms")
	f.Add("errors<0.1%")
	f.Fuzz(func(t *testing.T, text string) {
		o, err := Parse(text)
		if err != nil {
			return
		}
		if again, err := Parse(o.Text); err != nil || again != o {
			t.Errorf("%q, read again: %+v, %v; want %+v", text, again, err, o)
		}
		if !(o.Bound >= 0) {
			t.Errorf("%q: bound %v", text, o.Bound)
		}
	})
}

func TestOperation(t *testing.T) {
	for text, want := range map[string]string{"p99<10ms": "", "read p99<10ms": "READ", "READ service mean<1ms": "READ", "errors<1%": ""} {
		o, err := Parse(text)
		if got := o.Name; err != nil || got != want {
			t.Errorf("%s is about %q, %v; want %q", text, got, err, want)
		}
	}
}
