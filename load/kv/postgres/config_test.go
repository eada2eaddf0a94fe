package postgres

import (
	"slices"
	"testing"

	"github.com/tarebench/tare/load/kv"
)

func TestAddresses(t *testing.T) {
	for text, want := range map[string][]string{
		"postgres://127.0.0.1/x?sslmode=disable":                {"127.0.0.1:5432"},
		"postgresql://[::1]:7/x?sslmode=disable":                {"[::1]:7"},
		"host=/run/pg port=7":                                   {"/run/pg/.s.PGSQL.7"},
		"host=127.0.0.1,127.0.0.2 port=1,2 sslmode=disable":     {"127.0.0.1:1", "127.0.0.2:2"},
		"host=localhost port=1 sslmode=disable user=u dbname=d": {"localhost:1"},
	} {
		c, form, err := parseConfig(kv.Settings{URL: text})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := slices.Compact(addresses(c)); !slices.Equal(got, want) || form != layoutColumns {
			t.Errorf("%s: %q, layout %s, want %q", text, got, form, want)
		}
		if c.RuntimeParams["application_name"] != "tare" {
			t.Errorf("%s: application %q", text, c.RuntimeParams["application_name"])
		}
	}
}

// TestSeveralAts: a password with an @ that is not escaped is no host, and is not shown.
func TestSeveralAts(t *testing.T) {
	for text, bad := range map[string]bool{
		"postgres://u:SEKRET@PW@127.0.0.1:1/db":                         true,
		"postgresql://u:SE@KRET@PW@127.0.0.1?sslmode=disable":           true,
		"postgres://u:SE%40KRET@127.0.0.1:1/d@b?application_name=a@b@c": false,
		"host=127.0.0.1 user=u password='a://b@c@d'":                    false,
	} {
		for _, s := range []kv.Settings{{URL: text}, {Props: kv.Properties{"postgres.dsn": text}}} {
			_, _, err := parseConfig(s)
			if got := err != nil; got != bad || bad && (err != errDSN) {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
}

// TestPropertyCountsMore has a connection string and a URL.
func TestPropertyCountsMore(t *testing.T) {
	c, form, err := parseConfig(kv.Settings{URL: "postgres://127.0.0.1:1/a", Props: kv.Properties{
		"postgres.dsn":    "postgres://127.0.0.1:2/b?application_name=mine&synchronous_commit=off",
		"postgres.layout": "jsonb",
	}})
	if err != nil {
		t.Fatal(err)
	}
	if c.Port != 2 || c.Database != "b" || form != layoutJSONB || c.RuntimeParams["application_name"] != "mine" ||
		c.RuntimeParams["synchronous_commit"] != "off" {
		t.Errorf("%+v, layout %s", c, form)
	}
}
