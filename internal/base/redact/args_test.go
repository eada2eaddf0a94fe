package redact

import (
	"slices"
	"strings"
	"testing"
)

// TestArgs: what is secret in a command line goes, and what is not stays.
func TestArgs(t *testing.T) {
	for _, c := range [][2][]string{ // typed, shown
		{{"./s", "--api-token=hunter7", "--password", "hunter8", "API_KEY=hunter9", "-v"}, {"./s", "--api-token=***", "--password", "***", "API_KEY=***", "-v"}},
		{{"-token", "x", "-db.password=y", "--client-secret", "z z", "-DDB_PASSWORD=q"}, {"-token", "***", "-db.password=***", "--client-secret", "***", "-DDB_PASSWORD=***"}},
		{{"MY_SECRET_VALUE=a", "DB_PASSWORD_PROD=b", "SIGNING_KEY=c", "DATABASE_URL=d", "GITHUB_TOKEN=two words"}, {"MY_SECRET_VALUE=***", "DB_PASSWORD_PROD=***", "SIGNING_KEY=***", "DATABASE_URL=***", "GITHUB_TOKEN=***"}},
		// A token may begin with a dash, and a flag may follow a switch.
		{{"--token", "-Xj3k_9Q", "--token", "--verbose", "--auth", "-p", "80"}, {"--token", "***", "--token", "--verbose", "--auth", "-p", "80"}},
		// The meaning of -p is unknown. A file, a length and a number are no secrets, nor is the value of a flag such as --author.
		{{"-p", "x", "--password-file", "f", "--token-length=8", "--max-tokens", "100", "--author", "me", "--sort", "key", "--key=2", "size=4k"}, nil},
		{{"-bench=Sort", "-run", "^$", "--match", "main.*", "a@b", "x:y", "12:30", "/a:b@c", "C:\\x", "http://h:80/x?y=1", ""}, nil},
		// What is about a secret, and people whose title sounds so.
		{{"--auth-mode=none", "--auth-mode", "basic:x", "--token-bucket-rate=5", "--token-bucket-rate", "5", "--hash-key=a", "--cookies=on", "--tokens=5", "secretary=bob"}, {"--auth-mode=none", "--auth-mode", "***", "--token-bucket-rate=5", "--token-bucket-rate", "5", "--hash-key=a", "--cookies=on", "--tokens=5", "secretary=bob"}},
		{{"--db-key=12345", "--api-token=5", "--auth-code=1234", "--cookies=a%3Db"}, {"--db-key=***", "--api-token=***", "--auth-code=***", "--cookies=***"}},
		{{"--psk", "x", "--psk=x", "--hmac=x", "--pin", "1234", "--pin=1234", "--mnemonic", "a b", "--seed-phrase", "a b", "--conn-str=x", "--rootpw", "x"}, {"--psk", "***", "--psk=***", "--hmac=***", "--pin", "***", "--pin=***", "--mnemonic", "***", "--seed-phrase", "***", "--conn-str=***", "--rootpw", "***"}},
		// A user and a password, and no user and group.
		{{"etcdctl", "--user", "root:x", "--user=me:x", "--proxy-user", "me:x", "--user", "me", "--user=1000:1000"}, {"etcdctl", "--user", "root:***", "--user=me:***", "--proxy-user", "me:***", "--user", "me", "--user=1000:1000"}},
		{{"curl", "--user=u:x", "-E", "cert:x", "--cert=cert:x", "-Ec:x", "--pass", "x"}, {"curl", "--user=u:***", "-E", "***", "--cert=***", "-E***", "--pass", "***"}},
		// Addresses.
		{{"nats://t0ken@h:4222", "redis://t0ken@h", "--to=amqp://t0ken@h/x", "//u:x@h/x", "--to=//u:x@y@h/x"}, {"nats://***@h:4222", "redis://***@h", "--to=amqp://***@h/x", "//u:***@h/x", "--to=//u:***@h/x"}},
		{{"postgres://me@h/x", "ssh://git@h/x", "git+ssh://git@h/x", "//h/x@2", "nats://h:4222"}, nil},
		{{"ssh://0a1b2c3d4e5f6a7b8c9d@h/x"}, {"ssh://***@h/x"}},
		{{"http://me:hunter2@h:1/x", "--db=postgres://u:p@ss@h/db", "https://t0ken@h/x", "http://h/x?token=abc&y=1", "https://h/blob?sv=1&sig=abc%3D", "https://h/x?X-Amz-Signature=abc", "https://maps/x?key=abc"}, {"http://me:***@h:1/x", "--db=postgres://u:***@h/db", "https://***@h/x", "http://h/x?token=***", "https://h/blob?sv=1&sig=***", "https://h/x?X-Amz-Signature=***", "https://maps/x?key=***"}},
		{{"u:hunter2@tcp(127.0.0.1:3306)/x", "--dsn=u:p@tcp(h)/x", "--addr", "u:p@h"}, {"u:***@tcp(127.0.0.1:3306)/x", "--dsn=***", "--addr", "u:***@h"}},
		{{"--url", "http://me:hunter2@h:1/x?token=y", "--url=me:hunter2@h", "-o", "r.jsonl"}, {"--url", "http://h:1/x", "--url=the address", "-o", "r.jsonl"}},
		// Headers, and lines for a shell.
		{{"curl", "-H", "Authorization: Bearer abc def", "-H", "Accept: */*"}, {"curl", "-H", "Authorization: ***", "-H", "Accept: */*"}},
		{{"sh", "-c", "PGPASSWORD=x psql -h h --token y --verbose"}, {"sh", "-c", "PGPASSWORD=*** psql -h h --token *** --verbose"}},
		{{"bash", "-lc", `env A_TOKEN="x y" ./s --password 'a b' --name "--secret-key q"; ls`}, {"bash", "-lc", `env A_TOKEN=*** ./s --password '***' --name "--secret-key ***"; ls`}},
		{{"--side", "a=API_KEY=x ./s", "--side=a=API_KEY=x ./s --password y"}, {"--side", "a=API_KEY=*** ./s", "--side=a=API_KEY=*** ./s --password ***"}},
		{{"--side", "a=docker login -p x", "--side=a=mysql -px"}, {"--side", "a=docker login -p ***", "--side=a=mysql -p***"}},
		{{"--side", "a=API_KEY=x", "--side=a=API_KEY=x"}, {"--side", "a=API_KEY=***", "--side=a=API_KEY=***"}},
		{{"--side", "a=x --api-key=y", "--side=a=x u:p@h"}, {"--side", "a=x --api-key=***", "--side=a=x u:***@h"}},
		{{"--side", "API_KEY=x ./s", "--side", "./s --token x", "--side", "old=HEAD~1"}, {"--side", "API_KEY=***", "--side", "./s --token ***", "--side", "old=HEAD~1"}},
		{{"--against", "./s --password x", "--prepare=./p --token y z"}, {"--against", "./s --password ***", "--prepare=./p --token *** z"}},
		{{"curl", "-su", "me:hunter2", "http://h/x"}, {"curl", "-su", "***", "http://h/x"}},
		// tare's own.
		{{"--gate", "more:0.5%@part:own", "--gate=slower:5%:proven@.name:/Sort/", "--gate", "more:1%@func:f .name:G", "--gate", "me:hunter2@h"}, {"--gate", "more:0.5%@part:own", "--gate=slower:5%:proven@.name:/Sort/", "--gate", "more:1%@func:f .name:G", "--gate", "me:***@h"}},
		{{"--env", "API_KEY=x", "--env=KNOB=y", "--side-env", "new=A_TOKEN=z", "--side-env=old=B=c"}, {"--env", "API_KEY=***", "--env=KNOB=y", "--side-env", "new=A_TOKEN=***", "--side-env=old=B=c"}},
	} {
		want := c[1]
		if want == nil {
			want = c[0]
		}
		if got := Args(c[0]); !slices.Equal(got, want) {
			t.Errorf("%q:\n%q, want\n%q", c[0], got, want)
		}
		if again := Args(want); !slices.Equal(again, want) {
			t.Errorf("%q: redacted again %q", want, again)
		}
	}
}

// TestSecretsOfArgs: what an argument hides is hidden in what the program says, too.
func TestSecretsOfArgs(t *testing.T) {
	AddPairs([]string{"API_KEY=sk-1234"})
	AddArgs([]string{"--password", "hunter8", "postgres://u:p4ss@h/db", "-H", "Cookie: a=b; c=d", "--token=abc"})
	got := Text("hunter8 sk-1234 p4ss a=b; c=d abc")
	if want := "*** *** *** *** abc"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestRedactAddresses: a program may print addresses that hold a secret.
func TestRedactAddresses(t *testing.T) {
	got := Text("GET https://h/blob?sig=abc: 403\n(postgres://u:pw@h/db) at 10:30, key=2 https://h/x?y=1")
	if want := "GET https://h/blob?sig=***: 403\n(postgres://u:***@h/db) at 10:30, key=2 https://h/x?y=1"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// FuzzArgs puts a secret where secrets are, and looks for it in what is shown.
func FuzzArgs(f *testing.F) {
	for _, s := range []string{"hunter2", "a b", "it's", `"x"`, "-X9", "p@ss/w:rd", "x=y", "***", "$(x);y", "\\"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, secret string) {
		for _, c := range []struct{ words, around []string }{
			{[]string{"./s", "--password=" + secret, "-v"}, []string{"./s", "--password=", "-v"}},
			{[]string{"A_TOKEN=" + secret}, []string{"A_TOKEN="}},
			{[]string{"--token", secret}, []string{"--token", ""}},
			{[]string{"http://u:" + secret + "@h:1/x"}, []string{"http://u:@h:1/x"}},
		} {
			if (secret == "--" || flagLike.MatchString(secret)) && len(c.words) == 2 {
				continue // is a flag
			}
			shown := strings.Join(Args(c.words), "\n")
			for _, piece := range strings.Split(shown, Placeholder) {
				if !strings.Contains(strings.Join(c.around, "\n"), piece) && !strings.Contains("http://u:", piece) && !strings.Contains("@h:1/x", piece) {
					t.Errorf("%q in %q shows as %q", secret, c.words, shown)
				}
			}
		}
	})
}

// TestPairs: the value of a setting is hidden if its name says so; a directory is none.
func TestPairs(t *testing.T) {
	AddPairs([]string{"PWD=/home/me/project", "XDG_SESSION_CLASS=user", "API_KEY=sk-1234", "DB_PWD=abc", "EMPTY_TOKEN=", "USE_TOKEN=true"})
	if got, want := Text("/home/me/project/user.go: sk-1234 abc true"), "/home/me/project/user.go: *** abc true"; got != want {
		t.Errorf("redacted %q, want %q", got, want)
	}
	got := Pairs([]string{"PWD=/x", "API_KEY=sk-1234", "FOO", "TOKEN=", "URL=http://u:p@h", "MY_TOKEN x", "MY_TOKENx", "KNOB x"})
	if want := []string{"PWD=/x", "API_KEY=***", "FOO", "TOKEN=***", "URL=http://u:***@h", "MY_TOKEN***", "MY_TOKEN***", "KNOB x"}; !slices.Equal(got, want) {
		t.Errorf("pairs %q, want %q", got, want)
	}
}
