package cli_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"html"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/cli"
)

// secretCase is a command with a marked secret in it.
type secretCase struct {
	args  []string
	env   map[string]string
	files map[string]string
}

// secretPlaces return commands with a secret in one of the places where people put them.
var secretPlaces = map[string]func(s *secretSource) secretCase{
	"environment": func(s *secretSource) secretCase {
		name := s.variable()
		return secretCase{args: timed("sh", "-c", `printf '%s\n' "$`+name+`" >&2; exit 1`), env: map[string]string{name: s.value}}
	},
	"environment of a URL": func(s *secretSource) secretCase {
		return secretCase{args: timed("sh", "-c", `echo "$SERVER" >&2; exit 1`), env: map[string]string{"SERVER": s.address()}}
	},
	"--env": func(s *secretSource) secretCase {
		name := s.variable()
		return secretCase{args: slices.Concat([]string{"time", "--runs", "1", "--warmup", "0", "-o", "r.jsonl", "-o", "r.html", "-o", "r.md"}, s.flag("env", s.pair(name)), []string{"--", "sh", "-c", s.pick("true", `echo "$`+name+`" >&2; exit 3`)})}
	},
	"--env of a mistake": func(s *secretSource) secretCase {
		return secretCase{args: slices.Concat([]string{s.pick("time", "bench", "trace", "sample", "asm")}, s.flag("env", s.variable()+s.pick(" ", "", ":", ": ", ",")+s.value), []string{"--", "true"})}
	},
	"--side-env": func(s *secretSource) secretCase {
		return secretCase{args: slices.Concat([]string{s.pick("bench", "why", "bisect"), "--dry-run", "--side", "old=.", "--side", "new=."}, s.flag("side-env", s.pick("old=", "none=", "")+s.pair(s.variable())), []string{"."})}
	},
	"--side-flags": func(s *secretSource) secretCase {
		return secretCase{args: slices.Concat([]string{"bench", "--list"}, s.flag("side-flags", "old=-ldflags=-X main."+s.variable()+"="+s.plain), []string{"./none"})}
	},
	"word of a command": func(s *secretSource) secretCase {
		return secretCase{args: timed(append([]string{s.pick("true", "false", "./none")}, s.words()...)...)}
	},
	"command that repeats its words": func(s *secretSource) secretCase {
		return secretCase{args: timed(append([]string{"sh", "-c", `printf '%s\n' "$@" >&2; exit 1`, "sh"}, s.words()...)...)}
	},
	"line for a shell": func(s *secretSource) secretCase {
		line := s.pick("true ", "echo ", "none ", "A=b true ") + s.quoted(s.words())
		return secretCase{args: slices.Concat([]string{"time", "--runs", "1", "--warmup", "0", "-o", "r.jsonl", "-o", "r.html"}, s.command(line), s.maybe("--shell"), []string{"--", "true"})}
	},
	"--shell": func(s *secretSource) secretCase {
		return secretCase{args: []string{"time", "--runs", "1", "--warmup", "0", "-o", "r.jsonl", "--shell", "--", s.variable() + "=" + s.quoted([]string{s.value}) + s.pick(" true ", " sh -c 'exit 1' ", " false ; true ") + s.quoted(s.words())}}
	},
	"line without its quote": func(s *secretSource) secretCase {
		return secretCase{args: slices.Concat([]string{"time", "--runs", "1"}, s.command(`./tool --password "`+s.plain), []string{"--", "true"})}
	},
	"a flag twice": func(s *secretSource) secretCase {
		return secretCase{args: slices.Concat([]string{"time", "--runs", "1", "--cwd", "."}, s.flag("cwd", s.address()), s.flag("output", s.address()), s.flag("output", s.address()), []string{"--", "true"})}
	},
	"unknown flag": func(s *secretSource) secretCase {
		words := []string{s.verb(), "--" + s.pick("passwrd", "token", "api-tokn", "env-password", "pasword-token") + "=" + s.value}
		if s.IntN(3) == 0 {
			words = []string{s.verb(), "--" + s.pick("token", "password"), s.value}
		}
		return secretCase{args: words}
	},
	"argument": func(s *secretSource) secretCase {
		return secretCase{args: append([]string{s.verb()}, s.pick(s.address(), s.variable()+"="+s.value, s.address()+".jsonl", "./x?token="+s.query()))}
	},
	"argument of an unknown verb": func(s *secretSource) secretCase {
		return secretCase{args: []string{s.variable() + "=" + s.value, "bench"}}
	},
	"argument of a test binary": func(s *secretSource) secretCase {
		return secretCase{args: append([]string{s.pick("bench", "selftest", "why", "ci"), "./none", "--"}, s.words()...)}
	},
	"value of a number": func(s *secretSource) secretCase {
		flag := s.pick("--runs", "--confidence", "--seed", "--progress", "--threshold")
		return secretCase{args: []string{"time", flag + "=" + s.address(), "--", "true"}}
	},
	"objective": func(s *secretSource) secretCase {
		return secretCase{args: []string{s.pick("compare", "bench"), "--gate", s.pick("slower:5%@", "x") + s.address(), "a", "b"}}
	},
	"address of a process": func(s *secretSource) secretCase {
		return secretCase{args: slices.Concat([]string{"sample", "--duration", "10ms", "-o", "r.jsonl"}, s.flag("url", s.address()))}
	},
	"--db": func(s *secretSource) secretCase {
		return secretCase{args: slices.Concat(loaded(s.maybe("--dry-run")...), s.flag("db", s.address()))}
	},
	"-p": func(s *secretSource) secretCase {
		name := s.pick("mock.password", "redis.password", "mongodb.password", "postgres.dsn", "http.header.Authorization", "http.header.X-Api-Key", "x."+s.variable())
		pair := name + "=" + s.value
		return secretCase{args: slices.Concat(loaded(s.maybe("--dry-run")...), s.pickWords([]string{"-p", pair}, []string{"-p" + pair}, []string{"--property=" + pair}, []string{"-p", name + " " + s.value}, []string{"-p", "mock.delay=" + s.address()}, []string{"-p", "readproportion=" + s.address()}))}
	},
	"-P": func(s *secretSource) secretCase {
		line := s.pick(s.variable()+s.pick("=", " = ", ": ", " ")+s.value, s.variable()+s.plain) // of the latter all is a name
		text := line + "\n" + s.pick("", "recordcount=x\n", "readproportion="+s.address()+"\n", "=\n")
		return secretCase{args: slices.Concat(loaded(s.maybe("--dry-run")...), []string{"-P", "w.properties"}), files: map[string]string{"w.properties": text}}
	},
	"address of a load": func(s *secretSource) secretCase {
		return secretCase{args: append([]string{"load", "--workers", "1", "--operations", "1", "--warmup-duration", "0s", "--op-timeout", "50ms", "--records", "1", "-o", "r.jsonl", "-o", "r.html"}, s.flag("db", s.pick("http", "redis")+"://u:"+s.userinfo()+"@127.0.0.1:1/x?token="+s.query())...)}
	},
	"sides of a load": func(s *secretSource) secretCase {
		return secretCase{args: slices.Concat(loaded("--dry-run"), s.flag("side", "old="+s.address()), s.flag("side", "new="+s.pick(s.address(), "sh -c "+s.quoted([]string{"--token " + s.plain}))))}
	},
	"scenario": func(s *secretSource) secretCase {
		header := s.pick("Authorization", "Cookie", "X-Api-Key")
		text := "target: " + s.pick("http://127.0.0.1:1", strconv.Quote(s.address())) + "\nenv: [API_TOKEN]\nrate: 10\nduration: 50ms\ntransactions:\n  - name: a\n    steps:\n      - get: " +
			strconv.Quote("/x?token="+s.query()) + "\n        headers: {" + header + ": " + strconv.Quote(s.pick("${env.API_TOKEN}", s.value)) + "}\n" + s.pick("", "        "+s.variable()+": "+strconv.Quote(s.value)+"\n")
		return secretCase{args: slices.Concat([]string{"load", "--scenario", "s.yaml"}, s.maybe("--dry-run"), s.maybe("--print-scenario")), files: map[string]string{"s.yaml": text}, env: map[string]string{"API_TOKEN": s.value}}
	},
	"tare.toml": func(s *secretSource) secretCase {
		text := s.pick("", "[ci]\n") + s.pick("env = [", "env = ", "side-flags = [", "threshold = ", "forks = ", s.variable()+" = ") + strconv.Quote(s.pair(s.variable())) + s.pick("]\n", "\n", "")
		return secretCase{args: slices.Concat([]string{s.pick("bench", "ci", "why")}, s.maybe("--print-config"), []string{"./none"}), files: map[string]string{"tare.toml": text}}
	},
	"variable of a flag": func(s *secretSource) secretCase {
		return secretCase{args: []string{s.pick("ci", "bench"), s.pick("--print-config", "--list"), "./none"}, env: map[string]string{"TARE_ENV": s.pair(s.variable()), "TARE_FORKS": s.address()}}
	},
	"output in another spelling": func(s *secretSource) secretCase {
		return secretCase{args: timed("sh", "-c", `cat spelled >&2; exit 1`), env: map[string]string{s.variable(): s.value}, files: map[string]string{"spelled": "a " + s.spelled() + " b\n"}}
	},
	"output that is cut": func(s *secretSource) secretCase {
		before := s.pick("190", "195", "4085", "65530")
		return secretCase{args: timed("sh", "-c", `head -c `+before+` /dev/zero | tr '\0' x >&2; cat spelled >&2; exit 1`), env: map[string]string{s.variable(): s.value}, files: map[string]string{"spelled": s.pick(" ", "\n", "=") + s.value + " " + strings.Repeat(s.pick("y", "y\n"), s.IntN(4096))}}
	},
	"field in an output": func(s *secretSource) secretCase {
		text := s.pick(`{"user":"u","password":"`+s.plain+`"}`, "db:\n  password: "+s.plain+"\n", "<password>"+s.plain+"</password>", "> Authorization: Bearer "+s.plain, "map[user:u token:"+s.plain+"]", "/x?pass%77ord="+s.plain, "a=1&auth%5Btoken%5D="+s.plain, "https://hooks.slack.com/services/T1/B2/"+s.plain)
		return secretCase{args: timed("sh", "-c", `cat field >&2; exit 1`), files: map[string]string{"field": text + "\n"}}
	},
	"token that proves itself": func(s *secretSource) secretCase {
		token := s.pick("sk_live_", "ghp_", "glpat-", "xoxb-", "npm_", "sk-ant-") + (s.plain + strings.Repeat("aB3dE5", 6))[:36]
		return secretCase{args: timed(s.pick("true", "./none", "false"), s.pick("", "--name=")+token), env: map[string]string{"PLAIN": token}}
	},
	"substitution of a shell": func(s *secretSource) secretCase {
		value := s.pick("$(echo "+s.plain+")", "`echo "+s.plain+"`", "ab'c "+s.plain+"'", `a"b `+s.plain+`"`, "ab\\\n"+s.plain, "$(echo $(echo "+s.plain+"))")
		line := s.pick(s.variable()+"="+value+" sh -c 'exit 1'", "true --password "+value, "echo "+s.plain+" | cat --password-stdin", "sh -c 'exit 1' --password -- "+s.plain, "docker login -p "+s.plain, "none -D password "+s.plain, "none u/"+s.plain+"@//h:1521/x")
		return secretCase{args: slices.Concat([]string{"time", "--runs", "1", "--warmup", "0", "-o", "r.jsonl", "-o", "r.html"}, s.command(line), []string{"--shell", "--", "true"})}
	},
	"scenario with literals": func(s *secretSource) secretCase {
		text := "target: http://127.0.0.1:1\nallow: [" + strconv.Quote(s.pick("a.b", "u:"+s.plain+"@h", "u:"+s.plain+"@h:x")) + "]\ntransactions:\n  a:\n    steps:\n      - name: b\n        post: /x\n        " +
			s.pick("json: {user: u, password: "+s.plain+", tokens: ["+s.plain+"]}", `body: "pw=`+s.plain+`&client_secret=`+s.plain+`&a=b"`) + "\n"
		return secretCase{args: slices.Concat([]string{"load", "--scenario", "s.yaml"}, s.pickWords([]string{"--print-scenario"}, []string{"--dry-run"})), files: map[string]string{"s.yaml": text}}
	},
	"address whose password has a slash": func(s *secretSource) secretCase {
		return secretCase{args: slices.Concat(loaded("--workload", "a"), []string{"--db", s.pick("redis", "postgres", "mongodb", "http") + "://u:12" + s.pick("/", "?", "#") + s.plain + "@h" + s.pick("", "/0")})}
	},
	"record of others": func(s *secretSource) secretCase {
		return secretCase{args: []string{s.pick("report", "compare", "hist", "trace"), "old.jsonl", s.pick("--format=json", "--format=text", "--format=md", "-o=x.html")}, files: map[string]string{"old.jsonl": s.record()}}
	},
}

// timed is a call of tare time with a command.
func timed(words ...string) []string {
	return append([]string{"time", "--runs", "1", "--warmup", "0", "-o", "r.jsonl", "-o", "r.html", "--"}, words...)
}

// loaded is a call of tare load with more flags.
func loaded(flags ...string) []string {
	return append([]string{"load", "--db", "mock", "--duration", "50ms", "--warmup-duration", "0s", "--records", "10", "--workers", "1", "-o", "r.jsonl", "-o", "r.html"}, flags...)
}

// secretSource makes a secret, and spells what is around it.
type secretSource struct {
	*rand.Rand
	marker string // which no output may have
	plain  string // the secret, of letters
	value  string // the secret
}

func newSecret(seed uint64) *secretSource {
	s := &secretSource{Rand: rand.New(rand.NewPCG(seed, 1))}
	letters := make([]byte, 8)
	for i := range letters {
		letters[i] = "bcdfghjklmnpqrstvwxz"[s.IntN(20)]
	}
	s.marker = "hq" + string(letters)
	s.plain = s.marker
	s.value = s.marker
	if s.IntN(2) == 0 {
		s.value += s.pick("'", `"`, "@", ":", "/", "?", "&", "=", "%", "%41", `\`, " ", "$", "<&>", "ü", "#", ";", "!", "+", "***") + s.marker
	}
	return s
}

func (s *secretSource) pick(of ...string) string { return of[s.IntN(len(of))] }

func (s *secretSource) pickWords(of ...[]string) []string { return of[s.IntN(len(of))] }

func (s *secretSource) maybe(word string) []string {
	if s.IntN(2) == 0 {
		return nil
	}
	return []string{word}
}

// variable is the name of one whose value is secret.
func (s *secretSource) variable() string {
	return s.pick("MY_PASSPHRASE", "APP_PASSCODE", "X_SIGNATURE", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "PGPASSWORD", "MYSQL_PWD", "STRIPE_KEY", "SENTRY_DSN", "apiKey", "db_pass", "client_secret", "GH_PAT", "Jwt", "SESSION_COOKIE")
}

// pair is K=V.
func (s *secretSource) pair(name string) string { return name + "=" + s.value }

// flag is a flag with its value, in one word or two.
func (s *secretSource) flag(name, value string) []string {
	if s.IntN(2) == 0 {
		return []string{"--" + name, value}
	}
	return []string{"--" + name + "=" + value}
}

// command is a flag of tare time with a command line.
func (s *secretSource) command(line string) []string {
	flag := s.pick("against", "side", "prepare", "setup", "cleanup")
	if flag == "side" {
		line = s.pick("a=", "=", "") + line
	}
	return s.flag(flag, line)
}

func (s *secretSource) verb() string {
	return s.pick("bench", "compare", "ci", "why", "bisect", "history", "asm", "trace", "sample", "contrast", "layout", "time", "load", "hist", "selftest", "doctor", "report", "version")
}

func (s *secretSource) userinfo() string { return s.pick(s.plain, url.QueryEscape(s.value)) }
func (s *secretSource) query() string    { return s.pick(s.plain, url.QueryEscape(s.value)) }

// address is a URL or a data source with a secret.
func (s *secretSource) address() string {
	return s.pick(
		"http://me:"+s.userinfo()+"@127.0.0.1:1/x", "http://127.0.0.1:1/x?a=1&"+s.pick("token", "sig", "api_key", "X-Amz-Signature", "key")+"="+s.query(),
		"https://"+s.plain+"@127.0.0.1:1/", "redis://:"+s.userinfo()+"@127.0.0.1:1/0", "postgres://u:"+s.userinfo()+"@127.0.0.1:1/db?sslmode=disable",
		"u:"+s.plain+"@tcp(127.0.0.1:1)/db", "host=127.0.0.1 password="+s.plain+" user=u", "http://127.0.0.1:1/#access_token="+s.query(),
	)
}

// spelled is the secret as some program writes it.
func (s *secretSource) spelled() string {
	hexOf := hex.EncodeToString([]byte(s.value))
	percent, unicode := "", ""
	for i := range len(s.value) {
		percent += "%" + hexOf[2*i:2*i+2]
		unicode += `\x` + hexOf[2*i:2*i+2]
	}
	half := len(s.marker) / 2
	return s.pick(
		percent, strings.ToUpper(percent), unicode, hexOf, strings.ToUpper(hexOf), base64.StdEncoding.EncodeToString([]byte(s.value)), base64.URLEncoding.EncodeToString([]byte("me:"+s.value)),
		s.value[:half]+"\x1b[31m"+s.value[half:], s.value[:half]+"\x00"+s.value[half:], s.value[:half]+"\n"+s.value[half:], strings.ReplaceAll(strconv.Quote(s.value), "/", `\/`),
	)
}

// words are of a command, and have a secret.
func (s *secretSource) words() []string {
	name := strings.ToLower(strings.ReplaceAll(s.variable(), "_", s.pick("-", "_", ".")))
	return s.pickWords(
		[]string{"--" + name, s.value}, []string{"--" + name + "=" + s.value}, []string{"-" + name + "=" + s.value, "-v"}, []string{s.variable() + "=" + s.value},
		[]string{s.address()}, []string{"-H", s.pick("Authorization: Bearer ", "X-Api-Key: ", "cookie: a=", "X-Auth-Token:") + s.value}, []string{"--header=Authorization: Basic " + s.value},
		[]string{"mysql", "-p" + s.value}, []string{"curl", "-u", "me:" + s.value}, []string{"-D" + s.variable() + "=" + s.value}, []string{"--data", `{"password":` + strconv.Quote(s.value) + `}`},
		[]string{"me:" + s.plain + "@host"}, []string{"--dsn", "host=h password='" + s.plain + "' user=u"}, []string{"--env", s.pair(s.variable())},
	)
}

// quoted joins words for a shell.
func (s *secretSource) quoted(words []string) string {
	var out []string
	for _, w := range words {
		out = append(out, "'"+strings.ReplaceAll(w, "'", `'\''`)+"'")
	}
	return strings.Join(out, " ")
}

// record is one that another version wrote, which hid nothing.
func (s *secretSource) record() string {
	q := strconv.Quote(s.plain)
	address := strconv.Quote(s.address())
	return `{"k":"run","v":1,"kind":"time","tare":"x","start":"2026-01-01T00:00:00Z","command":["tare","time","--env",` + strconv.Quote(s.variable()+"="+s.plain) + `,"--","./tool","--token",` + q + `],"config":{"packages":[],"bench":"","setenv":[` + strconv.Quote(s.variable()+"="+s.plain) + `],"order":"interleaved"},"sides":[{"name":"old","ref":` + strconv.Quote("./tool --password "+s.plain) + `}]}` + "\n" +
		`{"k":"bin","id":1,"pkg":"p","build":{"-ldflags":` + strconv.Quote("-X main.token="+s.plain) + `}}` + "\n" +
		`{"k":"case","id":1,"pkg":"p","name":"command","side":"old","bin":1,"mode":"N","n":1}` + "\n" +
		`{"k":"fork","id":1,"case":1,"bin":1,"round":1,"order":1,"purpose":"timing","exit":"1","state":"failed","why":` + address + `,"tail":` + address + `}` + "\n" +
		`{"k":"warn","about":"run","code":"x","text":` + address + `,"advice":` + address + `,"facts":{"x":` + address + `}}` + "\n"
}

// TestSecretsAnywhere: a secret stays out of all that is printed and written, wherever people put it.
func TestSecretsAnywhere(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	names := slices.Sorted(maps.Keys(secretPlaces))
	each := 3
	for i := range each * len(names) {
		checkSecret(t, names[i%len(names)], seed+uint64(i))
	}
}

func FuzzSecretsAnywhere(f *testing.F) {
	names := slices.Sorted(maps.Keys(secretPlaces))
	for i := range names {
		f.Add(uint64(i), uint16(i))
	}
	f.Fuzz(func(t *testing.T, seed uint64, place uint16) { checkSecret(t, names[int(place)%len(names)], seed) })
}

// checkSecret runs a command with a secret in a directory of its own, and searches all that comes of it.
func checkSecret(t *testing.T, place string, seed uint64) {
	t.Helper()
	s := newSecret(seed)
	c := secretPlaces[place](s)
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range c.files {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, value := range c.env {
		t.Setenv(name, value)
		defer os.Unsetenv(name)
	}
	before := os.Args
	os.Args = append([]string{"tare"}, c.args...)
	defer func() { os.Args = before }()
	var stdout, stderr bytes.Buffer
	code := cli.Main(cli.Config{Bindings: bindings()}, c.args, strings.NewReader(""), &stdout, &stderr)
	found := map[string]string{"stdout": stdout.String(), "stderr": stderr.String()}
	readFiles(t, dir, found)
	for name := range c.files {
		delete(found, name)
	}
	if _, err := os.Stat("r.jsonl"); err == nil {
		var out bytes.Buffer
		cli.Main(cli.Config{Bindings: bindings()}, []string{"report", "-v", "r.jsonl"}, strings.NewReader(""), &out, &out)
		found["report"] = out.String()
	}
	for where, text := range found {
		if leak := leakOf(text, s.marker); leak != "" {
			t.Errorf("%s, seed %d: tare %q exits %d, env %q\n%s has …%s…", place, seed, c.args, code, c.env, where, leak)
		}
	}
}

// readFiles returns the contents of the files of a directory, by file name.
func readFiles(t *testing.T, dir string, into map[string]string) {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		into[name] = name + "\n" + string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

var (
	packedHex  = regexp.MustCompile(`[0-9a-f]{16,}`)
	escapedHex = regexp.MustCompile(`(?:%|\\+x|\\+u00)[0-9a-f]{2}`)
	joiners    = strings.NewReplacer("\x00", "", `\x00`, "", `\u0000`, "", "\x1b[31m", "", `\x1b[31m`, "", `\u001b[31m`, "", "\n", "", `\n`, "")
)

var packed = regexp.MustCompile(`[A-Za-z0-9+/_-]{16,}=*`)

// leakOf returns what is around a marker in a text, "" if it is not there: in any case, as HTML or URLs write it, and
// within base64, zipped or not.
func leakOf(text, marker string) string {
	all := text
	for _, word := range packed.FindAllString(text, -1) {
		data, err := base64.StdEncoding.DecodeString(word)
		if err != nil {
			continue
		}
		all += "\n" + string(data)
		if r, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
			plain, _ := io.ReadAll(r)
			all += "\n" + string(plain)
		}
	}
	all = strings.ToLower(all)
	for _, word := range packedHex.FindAllString(all, -1) {
		data, _ := hex.DecodeString(word[:len(word)&^1])
		all += "\n" + string(data)
	}
	unescaped := escapedHex.ReplaceAllStringFunc(all, func(e string) string {
		data, _ := hex.DecodeString(e[len(e)-2:])
		return string(data)
	})
	for _, form := range []string{all, html.UnescapeString(all), unescaped, joiners.Replace(all)} {
		if at := strings.Index(form, marker); at >= 0 {
			return form[max(0, at-80):min(len(form), at+40)]
		}
	}
	return ""
}

// TestFlagNames: no flag of tare is taken for a secret that is none.
func TestFlagNames(t *testing.T) {
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if redact.SecretName(f.Name) && !slices.Contains([]string{"live-token", "agents-token", "agents-key", "live-key", "nats-creds"}, f.Name) {
				t.Errorf("%s --%s: its value is hidden", c.CommandPath(), f.Name)
			}
		})
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(cli.Command(cli.Config{Bindings: bindings()}))
}
