package redact

import (
	"regexp"
	"strings"
	"unicode"
)

// SecretName reports whether the value of a variable, flag, header, property or parameter of that name is a secret. Case
// and separators do not count: API_KEY, apiKey and x-api-key are the same. Names of what is about a secret are none:
// password.file is a path, max_tokens a number. In doubtful cases it returns true.
func SecretName(name string) bool {
	switch name {
	case "PWD", "OLDPWD": // the directories of a shell; pwd is a password
		return false
	case "PAT": // a personal access token; pat is a pattern
		return true
	}
	name = strings.TrimLeft(name, "-")
	plain := words(name, false)
	if secretWords(plain) {
		return true
	}
	split := words(name, true)
	return split != plain && secretWords(split)
}

// secretWords is SecretName for what [words] returns.
func secretWords(name string) bool {
	if aboutSecret.MatchString(name) {
		return false
	}
	return secretPart.MatchString(harmless.ReplaceAllString(name, "_"))
}

// secretPart matches the part of a name that makes a value a secret. A key alone is that of a map; pass, signature and
// key count at the end only, because pass_count and key_size are numbers.
var secretPart = regexp.MustCompile(`secret|token|passw|pass_word|pass_?phrase|pass_?code|pass_?key|passin_|passout_|` +
	`credential|creds?_|cookie|bearer|private|session|sess_?id_|kube_?config|` +
	`auth\d?_|auth(en|n_|z_|ori[sz]|key)|_jwt|jwt_|_dsn|dsn_|_pwd|pwd_|_s?pw_|_t?otp_|_sas_|webhook|` +
	`api_?key|access_?key|(secret|ssh|master|signing|encryption|account|license|shared|deploy)key|` +
	`database_?url|connection_?string|` +
	`[^_]_keys?_$|pass_$|signatures?_$|[^_]_pat_$`)

// harmless matches words that only look like such a part: persons, programs, the sessions and sockets of a desktop, the
// patterns of module paths in GOPRIVATE.
var harmless = regexp.MustCompile(`tokeni[sz]\w*?_|author(s|ed|ity|ities|ship)?_|auth_sock_$|^_(xdg|desktop)_session|^_session(_manager|name)_$|` +
	`^_goprivate_$|(com|by|sur|tres|over|under)pass_|(primary|foreign|public|sort|partition|row)_?keys?_$`)

// aboutSecret matches names whose values tell about a secret: where it is, how long, how many there are.
var aboutSecret = regexp.MustCompile(`(file|path|_dir|_directory|_folder|_name|_len|_length|_size|_ttl|_timeout|_type|_count|_limit|_max|_min)_$|` +
	`^_(max|min|num|n|count|total)_((new|input|output|prompt|completion)_)?tokens?_$|^_(max|min|num)tokens?_$`)

// words returns the words of a name in lower case, with an underscore before and behind each one: _api_key_. camel says
// that a word begins at a capital, too.
func words(name string, camel bool) string {
	var b strings.Builder
	b.WriteByte('_')
	gap := true // behind a separator
	runes := []rune(name)
	for i, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			if !gap {
				b.WriteByte('_')
			}
			gap = true
			continue
		}
		if camel && !gap && unicode.IsUpper(r) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
		gap = false
	}
	if !gap {
		b.WriteByte('_')
	}
	return b.String()
}
