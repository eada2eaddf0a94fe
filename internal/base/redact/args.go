package redact

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

// argName is a name before a =, of a flag or a variable.
var argName = regexp.MustCompile(`^-{0,2}[A-Za-z_][\w.-]*$`)

// flagLike matches what is a flag rather than the value of the one before it. Secrets may begin with a dash, too: such are
// of capitals and digits.
var flagLike = regexp.MustCompile(`^-([A-Za-z]|-?[a-z]+([-.][a-z0-9]+)*(=.*)?)$`)

// gateWord matches an objective of --gate with a filter, which looks like user:password@host.
var gateWord = regexp.MustCompile(`^(--gate=)?(slower|more):[\d.]+%?(:proven)?@`)

// Args returns a command line without secrets, so that it may be shown and recorded. It redacts the values of flags and
// variables with names of secrets (--api-token X, --password=X, DB_KEY=X), passwords in addresses, and headers that
// authenticate. If it is not certain, it redacts. It is idempotent.
func Args(words []string) []string {
	out := slices.Clone(words)
	var c commandLine
	for i, w := range words {
		out[i] = c.word(w)
	}
	return out
}

// Arg is [Args] of a single word.
func Arg(word string) string { return new(commandLine).word(word) }

// commandLine is a command line of which some words were read.
type commandLine struct {
	prev    string   // the last word, "" at the beginning
	before  string   // that before it
	short   []string // flags of the program that hold secrets, see shortFlags
	logsIn  bool     // the program is one whose flags hold secrets behind the word login
	toStdin bool     // a program of the line reads a secret from its standard input
	echo    bool     // the program prints its words
}

// word returns the next word without its secrets.
func (c *commandLine) word(word string) string {
	shown := c.shown(word)
	c.read(word)
	return shown
}

// read notes a word for those behind it.
func (c *commandLine) read(word string) {
	if word == "--" && isSecretFlag(c.prev) { // the value may follow
		return
	}
	if flags := shortFlags(word); flags != nil {
		c.short = flags
	}
	switch program := programName(word); {
	case slices.Contains(registries, program):
		c.logsIn = true
	case word == "login" && c.logsIn:
		c.short = []string{"-p", "-p*"}
	}
	if c.prev == "" {
		c.echo = isEcho(word)
	}
	c.before, c.prev = c.prev, word
	if last := len(word) - 1; bundle.MatchString(word) && slices.Contains(c.short, "-"+word[last:]) { // curl -su me:X
		c.prev = "-" + word[last:]
	}
}

// next notes that another command begins.
func (c *commandLine) next() { *c = commandLine{toStdin: c.toStdin} }

// registries are programs whose flag -p holds a password behind the word login.
var registries = []string{"docker", "podman", "nerdctl", "buildah", "skopeo", "helm", "oras", "az", "cf"}

// definers are words behind which a name and its value follow as two words.
var definers = []string{"-D", "-P", "--define", "--set", "--add", "set", "config"}

func isSecretFlag(word string) bool {
	return strings.HasPrefix(word, "-") && argName.MatchString(word) && secretArg(word)
}

func (c *commandLine) shown(word string) string {
	if hidden, ok := c.named(word); ok {
		return hidden
	}
	if gateWord.MatchString(word) {
		return Value("", word)
	}
	if strings.ContainsAny(word, " \t\n") {
		if name, line, ok := strings.Cut(word, "="); ok && strings.HasPrefix(name, "-") && argName.MatchString(name) {
			return name + "=" + Command(line)
		}
		return Command(word)
	}
	return login(Value("", word))
}

// named hides what a name before it, in the same word or in that before, says about a value. It reports whether there is
// such a name.
func (c *commandLine) named(word string) (string, bool) {
	name, value, joined := strings.Cut(word, "=")
	switch {
	case word == "":
		return word, true
	case slices.Contains(loginFlags, c.prev) && !slices.Contains(c.short, c.prev):
		return userOf(word), true
	case joined && slices.Contains(loginFlags, name):
		return name + "=" + userOf(value), true
	case joined && strings.HasPrefix(name, "--") && slices.Contains(c.short, name):
		return name + "=" + Placeholder, true
	case len(word) > 2 && slices.Contains(c.short, word[:2]+"*"):
		return word[:2] + Placeholder, true
	case slices.Contains(c.short, c.prev) && !flagLike.MatchString(word):
		return Placeholder, true
	case slices.Contains(ownFlags, c.prev):
		return ownFlag(c.prev, word), true
	case joined && slices.Contains(ownFlags, name):
		return name + "=" + ownFlag(name, value), true
	case isSecretFlag(c.prev) && !strings.HasSuffix(c.prev, "-stdin") && word != "--" && !flagLike.MatchString(word) && !isPlainSetting(c.prev, word):
		return Placeholder, true
	case c.toStdin && (c.echo && !flagLike.MatchString(word) || c.prev == "<<<"):
		return Placeholder, true
	case slices.Contains(definers, c.before) && argName.MatchString(c.prev) && secretArg(c.prev) && !flagLike.MatchString(word):
		return Placeholder, true
	case joined && value != "" && argName.MatchString(name) && secretArg(name) && !c.holdsScript(word) && !isPlainSetting(name, value):
		return name + "=" + Placeholder, true
	}
	return "", false
}

// loginFlags are flags whose values may be user:password.
var loginFlags = []string{"--user", "--username", "--proxy-user", "--userpwd"}

// userOf returns the value of one of them without the password. Numbers are those of a user and a group.
func userOf(value string) string {
	user, password, ok := strings.Cut(value, ":")
	if !ok || password == "" || strings.Trim(value, ":0123456789") == "" {
		return login(Value("", value))
	}
	return user + ":" + Placeholder
}

// ownFlags are flags of tare whose values have a form of their own.
var ownFlags = []string{"--env", "--side", "--side-env", "--url", "-p", "--property"}

// ownFlag returns the value of one of them without secrets.
func ownFlag(name, value string) string {
	switch name {
	case "--env", "-p", "--property":
		return Pair(value)
	case "--side", "--side-env":
		side, rest, ok := strings.Cut(value, "=")
		switch {
		case !ok && name == "--side":
			return Command(value)
		case !ok:
			return Setting(value)
		case SecretName(side): // the side is missing
			return side + "=" + Placeholder
		case name == "--side":
			return side + "=" + Command(rest)
		}
		return side + "=" + Pair(rest)
	}
	return HostOf(value)
}

// bundle matches several flags of one letter each.
var bundle = regexp.MustCompile(`^-[A-Za-z]{2,}$`)

// shortFlags returns a program's flags of one letter whose value is a secret. A flag with a * has its value in the same
// word, others in the next one. Of a program that is not listed the meaning of letters is unknown.
func shortFlags(program string) []string {
	switch programName(program) {
	case "mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlslap", "mariadb", "mariadb-dump", "mariadb-admin":
		return []string{"-p*"}
	case "sshpass", "mongo", "mongosh", "mongodump", "mongorestore":
		return []string{"-p", "-p*"}
	case "redis-cli", "redis-benchmark":
		return []string{"-a", "-a*"}
	case "curl":
		return []string{"-u", "-u*", "-U", "-U*", "-b", "-b*", "-E", "-E*", "--user", "--proxy-user", "--cert", "--proxy-cert", "--pass", "--proxy-pass"}
	case "http", "https", "hey":
		return []string{"-a"}
	case "ab":
		return []string{"-A", "-P", "-C"}
	case "ldapsearch", "ldapadd", "ldapmodify", "ldapwhoami":
		return []string{"-w"}
	case "sqlcmd", "isql", "bcp":
		return []string{"-P", "-P*"}
	case "openssl":
		return []string{"-k", "-K"}
	}
	return nil
}

// programName returns the name of a program without its directory.
func programName(word string) string {
	return strings.TrimSuffix(path.Base(strings.ReplaceAll(word, `\`, "/")), ".exe")
}

// secretArg reports whether the value of a flag or a variable in a command line is secret. It is false for names of one
// letter, whose meaning is unknown.
func secretArg(name string) bool { return len(strings.TrimLeft(name, "-")) > 1 && SecretName(name) }

// holdsScript reports whether a word is itself a command line. In "PASSWORD=x command" only x is secret.
func (c *commandLine) holdsScript(word string) bool {
	p := c.prev
	shell := len(p) > 1 && p[0] == '-' && p[1] != '-' && strings.HasSuffix(p, "c") // sh -c, bash -lc
	return strings.ContainsAny(word, " \t\n") && (shell || slices.Contains(scripts, p))
}

// scripts are flags whose values are command lines.
var scripts = []string{"--against", "--prepare", "--setup", "--cleanup"}

// Command does what [Args] does for a text, such as a line for a shell. Of a line whose quotes are not closed it hides all
// that may be a secret.
func Command(text string) string {
	var b strings.Builder
	text = redactURLs(text) // whose passwords may have quotes
	c := commandLine{toStdin: strings.Contains(text, "-stdin") && stdinFlag.MatchString(text)}
	secret := false
	for i := 0; i < len(text); {
		if strings.HasPrefix(text[i:], "<<<") {
			b.WriteString("<<<")
			c.prev = "<<<"
			i += 3
			continue
		}
		if stop := text[i]; strings.IndexByte(shellStops, stop) >= 0 && !isProcess(text[i:]) {
			b.WriteByte(stop)
			if strings.IndexByte("\n;|&()", stop) >= 0 {
				c.next()
			}
			i++
			continue
		}
		if strings.HasPrefix(text[i:], "\\\n") { // the line goes on
			b.WriteString(text[i : i+2])
			i += 2
			continue
		}
		end, closed := wordEnd(text, i, shellStops)
		word := text[i:end]
		i = end
		if !closed && (secret || isSecretFlag(c.prev) || namesSecret(word)) {
			b.WriteString(Placeholder)
			break
		}
		if !closed { // a text rather than a line for a shell
			b.WriteString(word)
			break
		}
		secret = secret || isSecretFlag(word)
		b.WriteString(c.quoted(word))
	}
	return Value("", b.String())
}

// stdinFlag matches a flag by which a program reads a secret from its standard input.
var stdinFlag = regexp.MustCompile(`(?i)-(password|passphrase|passwd|pass|token|secret|key|credentials)-stdin\b`)

// namesSecret reports whether the name of a secret is anywhere in a text.
func namesSecret(text string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return r >= 0x80 || !isNameByte(byte(r)) }), secretArg)
}

// quoted returns the next word of a shell without its secrets. Around it quotes stay.
func (c *commandLine) quoted(word string) string {
	if q := word[:1]; len(word) > 1 && (q == `"` || q == "'") && strings.IndexByte(word[1:], q[0]) == len(word)-2 {
		return q + c.word(word[1:len(word)-1]) + q
	}
	plain := shellPlain(word)
	defer c.read(plain)
	if plain == "" {
		return word
	}
	if hidden, ok := c.named(plain); ok {
		if hidden == plain {
			return word
		}
		return hidden
	}
	var b strings.Builder
	for rest := word; ; {
		from, to, ok := substitution(rest)
		if !ok {
			b.WriteString(rest)
			break
		}
		open, inner, end := innerOf(rest[from:to])
		b.WriteString(rest[:from] + open + Command(inner) + end)
		rest = rest[to:]
	}
	return login(b.String())
}

// oracle matches user/password@//host and user/password@host:port.
var oracle = regexp.MustCompile(`^([^/@:=\s]+/)\S+?(@(?://[^/\s]|[\w.-]+:[0-9]+(?:/|$)))`)

// netPath matches //user:password@host, a URL without its scheme.
var netPath = regexp.MustCompile(`((?:^|[=,"'])//[^/@:\s]*:)\S+(@)`)

// login hides the password of user:password@host, as drivers of databases have it.
func login(word string) string {
	if strings.Contains(word, "//") && strings.Contains(word, "@") {
		word = netPath.ReplaceAllString(word, "${1}"+Placeholder+"${2}")
	}
	if strings.Contains(word, "/") && strings.Contains(word, "@") {
		word = oracle.ReplaceAllString(word, "${1}"+Placeholder+"${2}")
	}
	colon, at := strings.IndexByte(word, ':'), strings.LastIndexByte(word, '@')
	if colon < 0 || at <= colon+1 || strings.HasPrefix(word[colon:], "://") || strings.Contains(word[:colon], "/") {
		return word
	}
	return word[:colon+1] + Placeholder + word[at:]
}

// Pair returns the setting K=V without its secrets: V if K says that it is one, else those in V. What has no = is a
// mistake, see [Setting].
func Pair(pair string) string {
	name, value, ok := strings.Cut(pair, "=")
	switch {
	case !ok:
		return Setting(pair)
	case SecretName(name):
		return name + "=" + Placeholder
	}
	return name + "=" + Value("", value)
}

// Pairs returns settings K=V without their secrets.
func Pairs(pairs []string) []string {
	var out []string
	for _, p := range pairs {
		out = append(out, Pair(p))
	}
	return out
}

// HasRedacted reports whether a secret was redacted in one of several settings K=V. Two such settings may look equal and
// have had different secrets.
func HasRedacted(pairs []string) bool {
	return slices.ContainsFunc(pairs, func(p string) bool { return strings.Contains(p, Placeholder) })
}

// Setting returns a word that was meant as K=V and has no =, without all that follows the name of a secret.
func Setting(word string) string {
	const longest = 256 // of a name: each beginning is looked up
	for i := 1; i < min(len(word), longest); i++ {
		if !isNameByte(word[i-1]) {
			return Value("", word)
		}
		if SecretName(word[:i]) {
			return word[:i] + Placeholder
		}
	}
	if len(word) > longest {
		return Value("", word)
	}
	return word
}

// HostOf returns an address without user, password and query.
func HostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "the address"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}
