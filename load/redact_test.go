package load

import (
	"strings"
	"testing"
)

func TestRedact(t *testing.T) {
	for _, tt := range []struct{ name, value, want string }{
		{"redis.addr", "127.0.0.1:6379", "127.0.0.1:6379"},
		{"redis.password", "hunter2", "***"},
		{"redis.password", "", ""},
		{"PGPASSWORD", "x", "***"},
		{"postgres.dsn", "host=h", "***"},
		{"http.header.Authorization", "Bearer x", "***"},
		{"http.header.Cookie", "a=b", "***"},
		{"http.header.X-Auth-Token", "x", "***"},
		{"x-api-key", "x", "***"},
		{"AWS_SECRET_ACCESS_KEY", "x", "***"},
		{"redis.auth", "x", "***"},
		{"client-secret", "x", "***"},
		{"db.passwords", "x", "***"},
		{"compass", "north", "north"},
		{"author", "me", "me"},
		{"passwordfile", "/etc/x", "/etc/x"},
		{"fieldcount", "10", "10"},
		{"table", "usertable", "usertable"},

		{"", "redis://me:hunter2@localhost:6379/0", "redis://me:***@localhost:6379/0"},
		{"", "redis://:hunter2@localhost", "redis://:***@localhost"},
		{"", "redis://:hunter2", "redis://:***"},
		{"", "redis://localhost:6379", "redis://localhost:6379"},
		{"", "postgres://me@localhost:5432/db?sslmode=disable", "postgres://me@localhost:5432/db?sslmode=disable"},
		{"", "get http://t0ken@localhost:80/a?b=1", "get http://***@localhost:80/a?b=1"},
		{"", "https://localhost/photo@2x", "https://localhost/photo@2x"},
		{"", "postgres://me:p@ss/w:rd@localhost/db", "postgres://me:***@localhost/db"},
		{"", "postgres://h/db?user=me&password=hunter2 x", "postgres://h/db?user=me&password=*** x"},
		{"", `parse "http://a:b c@h": invalid`, `parse "http://a:***@h": invalid`},
		{"", "host=h password=hunter2 user=me", "host=h password=*** user=me"},
		{"", "host=h password = 'it\\'s a b' user=me", "host=h password = *** user=me"},
		{"", "password='cut off", "password=***"},
		{"", `password=a\ b user=me`, "password=*** user=me"},
		{"", "password='two\nlines' user=me", "password=*** user=me"},
		{"", "Authorization: Bearer abc def", "Authorization: ***"},
		{"", "Accept: */*\nCookie: a=b; c=d\nHost: h", "Accept: */*\nCookie: ***\nHost: h"},
		{"", "-X 'main.token=a b' -X example.org/m.token=c -X=main.apiKey=d -X main.version=1", "-X 'main.token=***' -X example.org/m.token=*** -X=main.apiKey=*** -X main.version=1"},
		{"", `-ldflags="-X main.token=a b"`, `-ldflags="-X main.token=*** b"`},
		{"", `{"user":"me","password":"a b"}`, `{"user":"me","password":***`},
		{"", "dial tcp 127.0.0.1:6379: connect: connection refused", "dial tcp 127.0.0.1:6379: connect: connection refused"},
		{"http.url", "http://h:1/x?token=abc", "http://h:1/x?token=***"},
	} {
		got := Redact(tt.name, tt.value)
		if got != tt.want {
			t.Errorf("%s=%s: %q, want %q", tt.name, tt.value, got, tt.want)
		}
		if again := Redact(tt.name, got); again != got {
			t.Errorf("%s=%s: once %q, twice %q", tt.name, tt.value, got, again)
		}
	}
}

// FuzzRedact puts a secret where secrets are and looks for it in what is shown;
// and any text is redacted once and for all.
func FuzzRedact(f *testing.F) {
	for _, s := range []string{"hunter2", "a b", "it's", `back\slash`, "p@ss/w:rd", "x://y", "password=", "a&b;c", "***", "'", `\`, "1"} {
		f.Add(s, "redis.addr")
	}
	f.Add("redis://a:b@c password='x y' Cookie: z", "name")
	f.Fuzz(func(t *testing.T, secret, name string) {
		once := Redact(name, secret)
		if twice := Redact(name, once); twice != once {
			t.Errorf("%q of %q: once %q, twice %q", secret, name, once, twice)
		}
		if secret == "" {
			return
		}
		quoted := strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(secret)
		line := strings.TrimLeft(strings.NewReplacer("\n", "", "\r", "").Replace(secret), " \t")
		for _, form := range []struct{ name, before, secret, after string }{
			{"a.password", "", secret, ""},
			{"a.dsn", "host=h ", secret, ""},
			{"", "redis://user:", secret, "@host:1/2"},
			{"", "dial redis://:", secret, "@host"},
			{"", "host=h password='", quoted, "' user=me"},
			{"", "host=h user=me Password = '", quoted, "'"},
			{"", "GET / HTTP/1.1\r\nAuthorization: ", line, "\r\nHost: h"},
		} {
			if form.secret == "" {
				continue // white space alone
			}
			// All that is shown must be of what is around the secret.
			shown := Redact(form.name, form.before+form.secret+form.after)
			for _, piece := range strings.Split(shown, Redacted) {
				if !strings.Contains(form.before, piece) && !strings.Contains(form.after, piece) {
					t.Errorf("%q in %q shows as %q", form.secret, form.before+"…"+form.after, shown)
				}
			}
			if !strings.Contains(shown, Redacted) {
				t.Errorf("%q in %q is not hidden: %q", form.secret, form.before, shown)
			}
		}
	})
}
