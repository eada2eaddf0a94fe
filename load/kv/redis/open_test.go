package redis

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

const sentinel = "geh/ei:mnis@é"

func settings(props kv.Properties) kv.Settings {
	return kv.Settings{
		Props:     props,
		Table:     "usertable",
		Fields:    3,
		FieldName: func(i int) string { return "field" + string(rune('0'+i)) },
		Workers:   1,
		OpTimeout: 5 * time.Second,
	}
}

func TestParseConfig(t *testing.T) {
	for _, c := range []struct {
		url   string
		props kv.Properties
		want  config
	}{
		{"", nil, config{addr: "127.0.0.1:6379", tls: "false"}},
		{"redis://", nil, config{addr: "127.0.0.1:6379", tls: "false"}},
		{"redis://localhost/2", nil, config{addr: "localhost:6379", db: 2, tls: "false"}},
		{"redis://:p%40ss@[::1]:1/", nil, config{addr: "[::1]:1", password: "p@ss", tls: "false"}},
		{"rediss://me:pw@127.0.0.1:7", nil, config{addr: "127.0.0.1:7", username: "me", password: "pw", tls: "true"}},
		{"rediss://me:pw@127.0.0.1:7/1",
			kv.Properties{"redis.addr": "/run/r.sock", "redis.username": "you", "redis.password": " x ", "redis.db": "3", "redis.tls": "insecure"},
			config{addr: "/run/r.sock", username: "you", password: " x ", db: 3, tls: "insecure"}},
	} {
		got, err := parseConfig(kv.Settings{URL: c.url, Props: c.props})
		if err != nil || got != c.want {
			t.Errorf("%q %v: %+v, %v, want %+v", c.url, c.props, got, err, c.want)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	open := servers.Redis(t)
	guarded := servers.Redis(t, "--requirepass", sentinel)
	down := servers.Fake(t, servers.Silent)
	gone := servers.Redis(t)
	gone.Kill(t)
	rubbish, echo := servers.Fake(t, servers.Rubbish), servers.Fake(t, servers.Echo)
	for _, c := range []struct {
		name  string
		url   string
		props kv.Properties
		class string
		want  string
	}{
		{"down", "", kv.Properties{"redis.addr": gone.Addr}, load.ClassRefused,
			"redis: cannot reach " + gone.Addr + ": connection refused (start redis-server, or set its address: -p redis.addr=host:port)"},
		{"not loopback", "redis://192.0.2.1/", nil, "", "192.0.2.1:6379 is not on this machine, and was not allowed"},
		{"no password", "", kv.Properties{"redis.addr": guarded.Addr}, load.ClassServer, "set the properties redis.username and redis.password)"},
		{"wrong password", "", kv.Properties{"redis.addr": guarded.Addr, "redis.password": sentinel + "x"}, load.ClassServer, "WRONGPASS"},
		{"no such database", "", kv.Properties{"redis.addr": open.Addr, "redis.db": "99"}, load.ClassServer, "DB index is out of range"},
		{"bad URL", "redis://me:" + sentinel + "@127.0.0.1/", nil, "", "invalid URL"},
		{"parameters", "redis://127.0.0.1/?password=" + sentinel, nil, "", "the URL has parameters"},
		{"bad database", "redis://127.0.0.1/x", nil, "", `database "x": want a number`},
		{"bad properties", "", kv.Properties{"redis.db": "-1", "redis.tls": "maybe", "redis.pasword": sentinel}, "",
			"unknown property redis.pasword: did you mean redis.password?\nproperty redis.db=-1: "},
		{"rubbish", "", kv.Properties{"redis.addr": rubbish, "redis.password": sentinel}, load.ClassProtocol, "log in at " + rubbish},
		{"echo", "", kv.Properties{"redis.addr": echo, "redis.password": sentinel}, load.ClassProtocol, "log in at " + echo},
		{"silent", "", kv.Properties{"redis.addr": down, "redis.password": sentinel}, load.ClassTimeout, "log in at " + down},
		{"not TLS", "", kv.Properties{"redis.addr": open.Addr, "redis.tls": "true", "redis.password": sentinel}, "", "log in at " + open.Addr},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := settings(c.props)
			s.URL = c.url
			if s.OpTimeout = time.Minute; c.class == load.ClassTimeout || c.name == "not TLS" {
				s.OpTimeout = time.Second // is all that ends it
			}
			db, err := Open(context.Background(), s)
			if err == nil {
				db.Close()
				t.Fatal("no error")
			}
			if !strings.HasPrefix(err.Error(), "redis: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %q, want %q in it", err, c.want)
			}
			if got := load.Class(err); c.class != "" && got != c.class {
				t.Errorf("error %q of class %s, want %s", err, got, c.class)
			}
			noSecret(t, err)
			if text := load.Redact("", c.want); text != c.want && !strings.Contains(c.want, load.Redacted) {
				t.Errorf("of the hint is shown %q only", text)
			}
		})
	}
}

// noSecret looks for the sentinel and for what is left of it when it is cut
// where its parts are taken for syntax.
func noSecret(t *testing.T, err error) {
	t.Helper()
	for _, part := range []string{sentinel, "geh", "ei:", "mnis"} {
		if strings.Contains(err.Error(), part) {
			t.Errorf("the error holds %q of the password: %v", part, err)
		}
	}
}

// TestPropertiesAreKnown opens with all defaults, and with a password.
func TestPropertiesAreKnown(t *testing.T) {
	s := servers.Redis(t, "--requirepass", sentinel)
	props := kv.Properties{}
	for _, p := range Binding().Properties {
		if p.Default != "" {
			props[p.Name] = p.Default
		}
		if secret := p.Name == "redis.password"; p.Secret != secret {
			t.Errorf("property %s: secret %v", p.Name, p.Secret)
		}
	}
	props["redis.addr"], props["redis.password"] = s.Addr, sentinel
	db, err := Binding().OpenDB(context.Background(), settings(props))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if name := db.Capabilities().Name; !strings.HasPrefix(name, "redis ") || !strings.HasSuffix(name, " at "+s.Addr) || strings.Count(name, " ") != 3 {
		t.Errorf("name %q, want redis VERSION at %s", name, s.Addr)
	}
}
