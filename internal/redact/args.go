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

// shellWord matches a word of a text as a shell sees it, with its quotes.
var shellWord = regexp.MustCompile(`(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s;|&()"'\\]|["'\\])+`)

// gateWord matches an objective of --gate with a filter, which looks like user:password@host.
var gateWord = regexp.MustCompile(`^(--gate=)?(slower|more):[\d.]+%?(:proven)?@`)

// Args returns a command line as it may be shown and recorded: without what flags and variables hold whose names say that
// it is secret (--api-token X, --password=X, DB_KEY=X), without passwords in addresses, and without headers that prove who
// one is. It rather hides too much than too little. Doing it twice changes nothing.
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
	prev  string   // the last word, "" at the beginning
	short []string // flags of the program that hold secrets, see shortFlags
}

// word returns the next word without its secrets.
func (c *commandLine) word(word string) string {
	shown := c.shown(word)
	c.read(word)
	return shown
}

// read notes a word for those behind it.
func (c *commandLine) read(word string) {
	if flags := shortFlags(word); flags != nil {
		c.short = flags
	}
	c.prev = word
}

func (c *commandLine) shown(word string) string {
	if hidden, ok := c.named(word); ok {
		return hidden
	}
	if gateWord.MatchString(word) {
		return Value("", word)
	}
	if strings.ContainsAny(word, " \t\n") {
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
	case len(word) > 2 && slices.Contains(c.short, word[:2]+"*"):
		return word[:2] + Masked, true
	case slices.Contains(c.short, c.prev) && !flagLike.MatchString(word):
		return Masked, true
	case slices.Contains(ownFlags, c.prev):
		return ownFlag(c.prev, word), true
	case joined && slices.Contains(ownFlags, name):
		return name + "=" + ownFlag(name, value), true
	case strings.HasPrefix(c.prev, "-") && argName.MatchString(c.prev) && secretArg(c.prev) && !flagLike.MatchString(word):
		return Masked, true
	case joined && value != "" && argName.MatchString(name) && secretArg(name) && !c.holdsScript(word):
		return name + "=" + Masked, true
	}
	return "", false
}

// ownFlags are flags of tare whose values have a form of their own.
var ownFlags = []string{"--env", "--side-env", "--url", "-p", "--property"}

// ownFlag returns the value of one of them without secrets.
func ownFlag(name, value string) string {
	switch name {
	case "--env", "-p", "--property":
		return Pair(value)
	case "--side-env":
		side, pair, ok := strings.Cut(value, "=")
		if !ok {
			return Setting(value)
		}
		if SecretName(side) { // the side is missing
			return side + "=" + Masked
		}
		return side + "=" + Pair(pair)
	}
	return HostOf(value)
}

// shortFlags returns the flags of one letter of a program that hold a secret: with a * in the same word, otherwise in the
// next one. Of other programs' letters nobody knows.
func shortFlags(program string) []string {
	program = path.Base(strings.ReplaceAll(program, `\`, "/"))
	switch strings.TrimSuffix(program, ".exe") {
	case "mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlslap", "mariadb", "mariadb-dump", "mariadb-admin":
		return []string{"-p*"}
	case "sshpass", "mongo", "mongosh", "mongodump", "mongorestore":
		return []string{"-p", "-p*"}
	case "redis-cli", "redis-benchmark":
		return []string{"-a", "-a*"}
	case "curl":
		return []string{"-u", "-u*", "-U", "-U*", "-b", "-b*", "--user", "--proxy-user"}
	case "http", "https", "hey":
		return []string{"-a"}
	case "ab":
		return []string{"-A", "-P", "-C"}
	case "ldapsearch", "ldapadd", "ldapmodify", "ldapwhoami":
		return []string{"-w"}
	case "sqlcmd", "isql", "bcp":
		return []string{"-P", "-P*"}
	}
	return nil
}

// secretArg reports whether the value of a flag or a variable in a command line is secret. Of names of one letter nobody
// knows.
func secretArg(name string) bool { return len(strings.TrimLeft(name, "-")) > 1 && SecretName(name) }

// holdsScript reports whether a word is itself a command line. In "PASSWORD=x command" only x is secret.
func (c *commandLine) holdsScript(word string) bool {
	p := c.prev
	shell := len(p) > 1 && p[0] == '-' && p[1] != '-' && strings.HasSuffix(p, "c") // sh -c, bash -lc
	return strings.ContainsAny(word, " \t\n") && (shell || slices.Contains(scripts, p))
}

// scripts are flags whose values are command lines.
var scripts = []string{"--vs", "--prepare", "--setup", "--cleanup"}

// Command does what [Args] does for a text, such as a line for a shell.
func Command(text string) string {
	text = Value("", text)
	var b strings.Builder
	var c commandLine
	done := 0
	for _, at := range shellWord.FindAllStringIndex(text, -1) {
		b.WriteString(text[done:at[0]])
		done = at[1]
		word := text[at[0]:at[1]]
		if q := word[:1]; len(word) > 1 && (q == `"` || q == "'") && strings.IndexByte(word[1:], q[0]) == len(word)-2 {
			b.WriteString(q + c.word(word[1:len(word)-1]) + q)
			continue
		}
		hidden, ok := c.named(word)
		if !ok {
			hidden = login(word)
		}
		b.WriteString(hidden)
		c.read(word)
	}
	b.WriteString(text[done:])
	return b.String()
}

// login hides the password of user:password@host, as drivers of databases have it.
func login(word string) string {
	colon, at := strings.IndexByte(word, ':'), strings.LastIndexByte(word, '@')
	if colon < 0 || at <= colon+1 || strings.HasPrefix(word[colon:], "://") || strings.Contains(word[:colon], "/") {
		return word
	}
	return word[:colon+1] + Masked + word[at:]
}

// Pair returns the setting K=V without its secrets: V if K says that it is one, else those in V. What has no = is a
// mistake, see [Setting].
func Pair(pair string) string {
	name, value, ok := strings.Cut(pair, "=")
	switch {
	case !ok:
		return Setting(pair)
	case SecretName(name):
		return name + "=" + Masked
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

// HasMasked reports whether one of several settings K=V has lost a secret, so that an equal one may have had another.
func HasMasked(pairs []string) bool {
	return slices.ContainsFunc(pairs, func(p string) bool { return strings.Contains(p, Masked) })
}

// Setting returns a word that was meant as K=V and has no =, without all that follows the name of a secret.
func Setting(word string) string {
	for i := 1; i < len(word); i++ {
		if !isNameByte(word[i-1]) {
			return Value("", word)
		}
		if SecretName(word[:i]) {
			return word[:i] + Masked
		}
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
