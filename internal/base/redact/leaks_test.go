package redact

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestNames: the name of a parameter may be escaped.
func TestNames(t *testing.T) {
	for _, text := range []string{
		"https://host/x?pass%77ord=HUNTER", "https://host/x?apitoken%5B%5D=HUNTER", "https://host/x?a=1&auth%5Btoken%5D=HUNTER", "/host?password[]=HUNTER&b=1", "/host?user[password]=HUNTER",
		"/host?%70%61%73%73word=HUNTER", "/host?pass%2577ord=HUNTER", "host pass%77ord=HUNTER&b=1", "host auth[token]=HUNTER", "/host?x=%26pass%77ord%3DHUNTER", "host pass%5Fword=HUNTER",
	} {
		for _, shown := range []string{Text(text), Value("", text), Command("get " + text), Name(strings.TrimPrefix(text, "host "))} {
			if !strings.ContainsAny(text, "?&") && shown == Name(text) {
				continue
			}
			if strings.Contains(shown, "HUNTER") && (strings.ContainsAny(text, "?") || strings.Contains(shown, "host")) {
				t.Errorf("%s is shown as %s", text, shown)
			}
		}
	}
	for _, text := range []string{"/host?pass%77ords_count=3", "/host?a%5Bb%5D=1", "100%25=x", "a[key]=1"} {
		if shown := Text(text); shown != text {
			t.Errorf("%s is shown as %s", text, shown)
		}
	}
}

// TestShell: the words of a line for a shell end where a shell ends them.
func TestShell(t *testing.T) {
	for line, want := range map[string]string{
		"PGPASSWORD=$(echo HUNTER) psql -h host":                        "PGPASSWORD=*** psql -h host",
		"TOKEN=`echo HUNTER` ./s":                                       "TOKEN=*** ./s",
		"TOKEN=abc'd e HUNTER' ./s":                                     "TOKEN=*** ./s",
		"TOKEN=$'a HUNTER' ./s":                                         "TOKEN=*** ./s",
		`TOKEN=a"b \" HUNTER" ./s`:                                      "TOKEN=*** ./s",
		"TOKEN=\"$(echo \"a HUNTER\")\" ./s":                            "TOKEN=*** ./s",
		"TOKEN=$(echo $(echo a HUNTER) b) ./s":                          "TOKEN=*** ./s",
		"TOKEN=${X:-a HUNTER} ./s":                                      "TOKEN=*** ./s",
		"TOKEN=ab\\\nHUNTER ./s":                                        "TOKEN=*** ./s",
		"./s --token \\\nHUNTER -v":                                     "./s --token \\\n*** -v",
		"./s --tok'en' HUNTER -v":                                       "./s --tok'en' *** -v",
		"./s --token a' HUNTER' -v":                                     "./s --token *** -v",
		"./s $(x --token HUNTER) -v":                                    "./s $(x --token ***) -v",
		"API_KEY=$(echo HUNTER)":                                        "API_KEY=***",
		"./s --token 'a HUNTER":                                         "./s --token ***",
		"TOKEN=a'b HUNTER":                                              "***",
		"./s --password -- HUNTER":                                      "./s --password -- ***",
		"docker login -u me -p HUNTER host":                             "docker login -u me -p *** host",
		"podman --log-level x login -pHUNTER host; docker run -p 80:80": "podman --log-level x login -p*** host; docker run -p 80:80",
		"openssl enc -k HUNTER -in f":                                   "openssl enc -k *** -in f",
		"openssl rsa -passin pass:HUNTER -in f":                         "openssl rsa -passin *** -in f",
		"java -D password HUNTER -v":                                    "java -D password *** -v",
		"git config http.token HUNTER":                                  "git config http.token ***",
		"echo HUNTER | docker login --password-stdin host":              "echo *** | docker login --password-stdin host",
		"printf '%s' HUNTER | x --token-stdin":                          "printf '***' *** | x --token-stdin",
		"x --password-stdin <<< HUNTER":                                 "x --password-stdin <<< ***",
		"sqlplus u/HUNTER@//h:1521/x":                                   "sqlplus u/***@//h:1521/x",
		"sqlplus u/HUNTER@h:1521/x":                                     "sqlplus u/***@h:1521/x",
		"curl https://hooks.slack.com/services/T01/B02/HUNTERxyz":       "curl https://hooks.slack.com/services/***",
	} {
		shown := Command(line)
		if shown != want {
			t.Errorf("%s\nis shown as %s, want\n%s", line, shown, want)
		}
		if again := Command(shown); again != shown {
			t.Errorf("%s\nis shown again as %s", shown, again)
		}
		if shown := Args([]string{"sh", "-c", line})[2]; strings.Contains(shown, "HUNTER") {
			t.Errorf("%s\nas a word is shown as %s", line, shown)
		}
	}
	for _, line := range []string{
		"go run golang.org/x/tools/cmd/stringer@v0.52.0", "echo it's 'a b' $(ls -l) `date`", "it's a title", "for i in 1 2; do ./s $i; done", "docker run -p 80:80 x", "cat <<EOF", "a && b || c > d 2>&1", "git config user.name x", "x <(sort a) <(sort b)", `a\`,
	} {
		if shown := Command(line); shown != line {
			t.Errorf("%s is shown as %s", line, shown)
		}
	}
	for _, words := range [][]string{{"x", "--password", "--", "HUNTER"}, {"docker", "login", "-p", "HUNTER"}, {"openssl", "-passin", "pass:HUNTER"}, {"openssl", "enc", "-k", "HUNTER"}, {"x", "-D", "password", "HUNTER"}, {"x", "u/HUNTER@//h:1521/x"}} {
		if shown := strings.Join(Args(words), " "); strings.Contains(shown, "HUNTER") {
			t.Errorf("%q is shown as %s", words, shown)
		}
	}
}

// TestFields: programs print fields of JSON, YAML, XML, headers and Go values.
func TestFields(t *testing.T) {
	for text, want := range map[string]string{
		`{"user":"u","password":"HUNTER","x":1}`:                 `{"user":"u","password":"***","x":1}`,
		`{"password": "HUN\"TER HUNTER"}`:                        `{"password": "***"}`,
		`sent "{\"password\":\"HUNTER\",\"x\":1}"`:               `sent "{\"password\":\"***\",\"x\":1}"`,
		`{'api_key': 'HUNTER', 'x': 1}`:                          `{'api_key': '***', 'x': 1}`,
		`{"password":12345678}`:                                  `{"password":***}`,
		`{"tokens":["HUNTER","HUNTER"],"x":1}`:                   `{"tokens":[***],"x":1}`,
		"db:\n  host: h\n  password: HUNTER\n  port: 1":          "db:\n  host: h\n  password: ***\n  port: 1",
		"password: 'HUNTER HUNTER'\nx: 1":                        "password: '***'\nx: 1",
		"- token: HUNTER":                                        "- token: ***",
		"key:\n  private_key: |\n    HUNTER\n    HUNTER\n  x: 1": "key:\n  private_key: |\n    ***\n  x: 1",
		"> Authorization: Bearer HUNTER\n> Accept: x":            "> Authorization: ***\n> Accept: x",
		"Set-Cookie: a=HUNTER; path=/":                           "Set-Cookie: ***",
		"X-Api-Key: HUNTER":                                      "X-Api-Key: ***",
		"with [Authorization:[Bearer HUNTER]]":                   "with [Authorization:[***]]",
		"[Accept:[x] Authorization:[Bearer HUNTER] Host:[h]]":    "[Accept:[x] Authorization:[***] Host:[h]]",
		"config: map[password:HUNTER user:u]":                    "config: map[password:*** user:u]",
		"config: {User:u Password:HUNTER}":                       "config: {User:u Password:***}",
		"<user>u</user><password>HUNTER</password>":              "<user>u</user><password>***</password>",
		`<api-key type="x">HUNTER HUNTER</api-key>`:              `<api-key type="x">***</api-key>`,
	} {
		shown := Text(text)
		if shown != want {
			t.Errorf("%s\nis shown as %s, want\n%s", text, shown, want)
		}
		if again := Text(shown); again != shown {
			t.Errorf("%s\nis shown again as %s", shown, again)
		}
	}
	for _, text := range []string{
		"session: closed by peer", "token: unexpected end of input", "password: no such user here", `{"tokens":{"x":1},"password":null,"use_token":true}`, "authentication: failed", "syntax error near token: x of y", "<password/>", "a: map[x:y]", "tokens: 5", `{"tokens":12345678}`, `{"key":"a","passes":3}`, "--auth-mode=none", "tokens=5", "secretary=bob",
	} {
		if shown := Text(text); shown != text {
			t.Errorf("%s\nis shown as %s", text, shown)
		}
	}
}

// TestKnownAnySpelling: a secret is hidden in whatever way a program writes it.
func TestKnownAnySpelling(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	secret := fmt.Sprintf("zk%08x/+=?%d", r.Uint32(), r.IntN(1000))
	Add(secret)
	percent := func(upper bool, all bool) string {
		var b strings.Builder
		for i := range len(secret) {
			switch {
			case all || !isAlnum(secret[i]) && r.IntN(2) == 0:
				format := "%%%02x"
				if upper {
					format = "%%%02X"
				}
				fmt.Fprintf(&b, format, secret[i])
			default:
				b.WriteByte(secret[i])
			}
		}
		return b.String()
	}
	unicode := ""
	for i := range len(secret) {
		unicode += fmt.Sprintf(`\u%04x`, secret[i])
	}
	half := len(secret) / 2
	basic := base64.StdEncoding.EncodeToString([]byte("me:" + secret))
	for _, text := range []string{
		secret, percent(false, false), percent(true, false), percent(false, true), strings.ReplaceAll(percent(true, true), "%", "%25"), strings.ReplaceAll(secret, "/", `\/`), strings.ReplaceAll(secret, "+", `\u002b`), unicode,
		strings.ReplaceAll(secret, "/", "&#x2F;"), secret[:half] + "\x1b[31m" + secret[half:], secret[:half] + `\x1b[31m` + secret[half:], secret[:half] + "\x00" + secret[half:], secret[:half] + "\n" + secret[half:], secret[:half] + "\n    " + secret[half:],
		hex.EncodeToString([]byte(secret)), strings.ToUpper(hex.EncodeToString([]byte(secret))), base64.StdEncoding.EncodeToString([]byte(secret)), base64.URLEncoding.EncodeToString([]byte("u:" + secret)),
		"Basic " + basic, basic[:10] + "\n" + basic[10:], base64.RawStdEncoding.EncodeToString([]byte("user1:" + secret + "more")),
	} {
		shown := Text("<" + text + ">")
		if !strings.HasPrefix(shown, "<") || !strings.HasSuffix(shown, ">") || strings.Trim(shown, "<> \nBasic") != Placeholder {
			t.Errorf("%q is shown as %q", text, shown)
		}
	}
	Add("overzk1111lap", "lapzk2222ping")
	if shown := Text("a overzk1111lapzk2222ping b"); shown != "a *** b" {
		t.Error(shown)
	}
	key := "zkfirstline0001\nzkab\nzkc\nzksecondline002\nzkd"
	Add(key)
	for _, text := range []string{key, "zkfirstline0001\nzkab", "zkc\nzksecondline002\nzkd\nnext", "zksecondline002\nzkd", `zkab\nzkc\nzksecondline002\nzkd`} {
		if shown := Text(text); strings.Contains(shown, "zk") {
			t.Errorf("%q is shown as %q", text, shown)
		}
	}
	Add("zkcutzkcutzkcut/zk")
	for text, want := range map[string]string{"a zkcutzkc…": "a ***…", `"a zkcutzkc"…`: `"a ***"…`, "…tzkcut/zk b": "…*** b", "a zkb…": "a zkb…"} {
		if shown := Text(text); shown != want {
			t.Errorf("%s is shown as %s", text, shown)
		}
	}
	if shown := Tail("line0001\nrest"); shown != "***\nrest" {
		t.Error(shown)
	}
}

// TestProofs: tokens show by their form what they are, and nothing else does.
func TestProofs(t *testing.T) {
	letters := func(n int) string { return strings.Repeat("aB3dE5gH", n/8+1)[:n] }
	for _, token := range []string{
		"sk_live_" + letters(24), "rk_live_" + letters(24), "ghp_" + letters(36), "gho_" + letters(36), "ghs_" + letters(36), "github_pat_" + letters(22) + "_" + letters(59), "glpat-" + letters(20), "xoxb-123456789012-" + letters(24),
		"AIza" + letters(35), "hf_" + letters(34), "npm_" + letters(36), "pypi-" + letters(80), "eyJ" + letters(20) + ".eyJ" + letters(20) + "." + letters(43), "sk-ant-" + letters(40),
		"AGE-SECRET-KEY-1" + strings.ToUpper(letters(58)), "shpat_" + letters(32), "ATATT3x" + letters(60), "SU" + strings.Repeat("AM7K", 14), "SO" + strings.Repeat("AM7K", 14),
	} {
		for _, text := range []string{"a " + token + " b", "x=" + token + ", y", `{"x":"` + token + `"}`, "/x/" + token + "/y", "said " + token + "."} {
			shown := Text(text)
			if want := strings.ReplaceAll(text, token, Placeholder); shown != want && Value("", text) != want {
				t.Errorf("%s is shown as %s, want %s", text, shown, want)
			}
			if shown := Name(text); strings.Contains(shown, token) {
				t.Errorf("as a name: %s", shown)
			}
		}
		if Value("PLAIN", token) != Placeholder {
			t.Errorf("%s: %s", token, Value("PLAIN", token))
		}
	}
	for _, address := range []string{"https://discord.com/api/webhooks/123456/HUNTER", "https://x.webhook.office.com/webhookb2/HUNTER@y/z", "https://api.telegram.org/bot123456:HUNTER/sendMessage", "https://hooks.slack.com/services/T1/B2/HUNTER"} {
		if shown := Text("Post \"" + address + "\": refused"); strings.Contains(shown, "HUNTER") || !strings.HasSuffix(shown, `": refused`) {
			t.Error(shown)
		}
	}
	body := letters(64) + "\n" + letters(64) + "\n" + letters(12) + "=\n"
	for _, key := range []string{
		"a\n-----BEGIN RSA PRIVATE KEY-----\n" + body + "-----END RSA PRIVATE KEY-----\nb", "-----BEGIN OPENSSH PRIVATE KEY-----\n" + body, body + "-----END EC PRIVATE KEY-----",
		"-----BEGIN USER NKEY SEED-----\n" + letters(20) + "\n------END USER NKEY SEED------", `"-----BEGIN PRIVATE KEY-----\n` + strings.ReplaceAll(body, "\n", `\n`) + `-----END PRIVATE KEY-----\n"`,
	} {
		if shown := Text(key); strings.Contains(shown, "aB3") || !strings.Contains(shown, "PRIVATE KEY-----") && !strings.Contains(shown, "NKEY SEED-----") || Text(shown) != shown {
			t.Errorf("%q is shown as %q, then %q", key, shown, Text(shown))
		}
	}
	for _, text := range []string{
		"AKIAIOSFODNN7EXAMPLE", "sk_live_", "ghp_short1", "hf_bench", "npm_config_cache", "xoxb-x", "eyJustAName.eyJ.x", "task-" + letters(40), "want -----BEGIN PRIVATE KEY-----, see the documents", "Sort/hf_" + strings.Repeat("a", 34), "pypi-server", "AIzawa",
	} {
		if shown := Text(text); shown != text {
			t.Errorf("%s is shown as %s", text, shown)
		}
	}
}

// TestCommonWords: what many others have is hidden in its own place, and nowhere else.
func TestCommonWords(t *testing.T) {
	AddPairs([]string{
		"USER=jane", "HOME=/home/jdoe", "HOSTNAME=box7", "POSTGRES_DB=shopdb", "KDE_SESSION_UID=1000", "GDMSESSION=zubuntu", "POSTGRES_PASSWORD=postgres", "MYSQL_ROOT_PASSWORD=root", "DB_PASSWORD=mock", "TOKEN=time", "AUTH=plain",
		"A_PASSWORD=jane", "B_PASSWORD=jdoe", "C_PASSWORD=box7", "D_PASSWORD=shopdb", "E_TOKEN=qwert",
	})
	AddArgs([]string{"--tokens", "1024", "--auth", "none", "--password", "998877"})
	const text = "time 1000 of 1024 zubuntu postgres root mock jane jdoe box7 shopdb explain plain none 998877 aqwert qwerty qwert1"
	if shown := Text(text); shown != text {
		t.Error(shown)
	}
	if shown := Text("qwert _qwert-qwert, -pqwert MY_TOKENqwert"); shown != "*** _***-***, -p*** MY_TOKEN***" {
		t.Error(shown)
	}
	if shown := strings.Join(Pairs([]string{"KDE_SESSION_UID=1000", "GDMSESSION=ubuntu", "AUTH=plain", "TOKEN=time"}), " "); shown != "KDE_SESSION_UID=1000 GDMSESSION=ubuntu AUTH=*** TOKEN=***" {
		t.Error(shown)
	}
}

// TestPartsOfSecrets: others print a part of what is secret: behind a scheme, of an address read otherwise, of a command.
func TestPartsOfSecrets(t *testing.T) {
	AddArgs([]string{"--db", "redis://u:12/partone@h", "-H", "Authorization: Bearer parttwo", "-H", "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("me:partthree"))})
	AddArgs([]string{"--prepare", "PGPASSWORD=$(echo partfour) psql"})
	AddPairs([]string{"MY_DATABASE_URL=postgres://zuser:zpassw0rd@zhost/zdb", "A_TOKEN=/run/zsecrets/zname"})
	if shown := Text("postgres://x:y@zhost/zdb zuser zpassw0rd zsecrets zname"); shown != "postgres://x:***@zhost/zdb zuser *** zsecrets zname" {
		t.Error(shown)
	}
	if shown := Text("partone@h, parttwo, partthree, partfour"); shown != "***@h, ***, ***, ***" {
		t.Error(shown)
	}
}
