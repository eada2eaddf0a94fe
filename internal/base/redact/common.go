package redact

import (
	"path/filepath"
	"slices"
	"strings"
)

// commonWords are values that say nothing, and words that tare and many programs print. As the value of a secret name they
// are hidden in their own place. Elsewhere they are not searched for, as that would hide what has nothing to do with it.
var commonWords = wordSet(`
true false yes no on off none null nil auto basic bearer plain digest negotiate token apikey md5 sha256 scram-sha-256 trust peer cert cookie session disable disabled enable enabled require default
test tests testing example changeme password passwd secret admin administrator user username guest root postgres mysql mariadb redis mongo mongodb memcached sqlite oracle app demo dev prod staging local localhost docker ubuntu debian
bench compare ci why bisect history asm trace sample contrast layout time load hist selftest doctor report completion version agent help
http https grpc mock bbolt pebble memcache kafka nats file map
old new side case cases fork forks iteration iterations round rounds run runs rate ratio median mean total count target achieved started completed dropped unsent errors error warning warnings hint note usage command commands benchmark benchmarks
read update insert scan delete response service lateness faster slower equivalent identical inconclusive undecided less more same unit units name kind memory goroutines allocs bytes samples seconds nanoseconds operations percent
cpu wall user system peak heap stack
`)

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}

// isCommon reports whether a secret is one that others have, too: a number of up to 6 digits, a boolean, a word that tare
// prints, or the name of this user, host or database.
func isCommon(value string) bool {
	plain := strings.ToLower(value)
	isDigit := func(r rune) bool { return r >= '0' && r <= '9' }
	return commonWords[plain] || known.common[plain] || len(plain) <= 6 && strings.TrimLeftFunc(plain, isDigit) == ""
}

// identities are the last words of the names of variables with the name of a user, a host, a home or a database.
var identities = []string{"USER", "LOGNAME", "USERNAME", "HOME", "USERPROFILE", "HOSTNAME", "HOST", "COMPUTERNAME", "DATABASE", "PGDATABASE", "PGUSER", "PGHOST", "DB", "DBNAME", "DB_NAME"}

// addCommon remembers the names of the user, the host, the home and the database that settings K=V have.
func addCommon(pairs []string) {
	known.Lock()
	defer known.Unlock()
	for _, p := range pairs {
		name, value, _ := strings.Cut(p, "=")
		if value == "" || !slices.ContainsFunc(identities, func(end string) bool { return name == end || strings.HasSuffix(name, "_"+end) }) || SecretName(name) {
			continue
		}
		if known.common == nil {
			known.common = map[string]bool{}
		}
		known.common[strings.ToLower(filepath.Base(value))] = true
	}
}
