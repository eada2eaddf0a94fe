package redact

import (
	"net"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// SecretVariable reports whether an environment variable gives a program a secret. Its value has the form of a secret or
// contains one (see [Value]), or its name is that of a secret ([SecretName]) and the value may be one. It is false for
// NUM_KEYS=10, AUTH_DISABLED=true and AUTH_ADDR=localhost:80. It is true for API_TOKEN=1234, because any value of a variable
// with that name is a token.
//
// What is shown and recorded depends on it only for flags and assignments (see isPlainSetting). Elsewhere the name alone is
// enough to redact a value.
func SecretVariable(name, value string) bool {
	switch {
	case Value("", value) != value:
		return true
	case !SecretName(name):
		return false
	}
	plain := words(name, false)
	return saysSecret(plain) || saysSecret(words(name, true)) || !isKeyOfMap(plain) && !isPlainValue(plain, value)
}

// isPlainSetting reports whether the value of a flag or an assignment is shown although its name is about a secret: a number of tokens,
// a switch. A short key looks like a number and stays hidden.
func isPlainSetting(name, value string) bool {
	plain := words(name, false)
	return SecretName(name) && !SecretVariable(name, value) && (isKeyOfMap(plain) || isSwitchOrCount(value) && !strings.HasSuffix(strings.TrimSuffix(lastWord(plain), "s"), "key"))
}

// saysSecret reports whether the words of a name say that the value is a secret whatever it is.
func saysSecret(name string) bool {
	for _, part := range certainParts {
		if strings.Contains(name, part) {
			return true
		}
	}
	last := lastWord(name)
	return slices.Contains(certainEnds, last) || strings.HasSuffix(last, "token") || strings.HasSuffix(last, "auth") || strings.HasSuffix(last, "pass") || strings.HasSuffix(last, "cookie")
}

// certainParts say wherever they stand in a name that the value is a secret.
var certainParts = []string{
	"secret", "credential", "cred_", "creds_", "private", "webhook", "passw", "pass_word", "passphrase", "pass_phrase", "passcode", "pass_code", "passkey", "pass_key",
	"pwd_", "_pwd", "_pw_", "apikey", "api_key", "accesskey", "access_key", "sshkey", "masterkey", "master_key", "signingkey", "signing_key", "encryptionkey", "encryption_key",
	"accountkey", "licensekey", "sharedkey", "deploykey", "authkey", "auth_key", "authori", "jwt_", "_otp_", "_totp_", "_sas_",
	"mnemonic", "phrase_", "_nkey_", "_psk_", "_hmac_", "pw_", "conn_str", "connstr", "extraheader",
}

// certainEnds say so as the last word.
var certainEnds = []string{"bearer", "signature", "signatures", "pat", "session", "sessionid", "sessid", "code", "pin", "hash", "auth1", "auth2", "oauth1", "oauth2", "passin", "passout"}

// qualifiers say behind a secret which of several it is: API_TOKEN_2, API_TOKEN_PROD.
var qualifiers = regexp.MustCompile(`(_(\d+|v\d+|prod|production|dev|development|test|testing|stage|staging|ci|qa|live|old|new|value|id|default|primary|secondary|main|backup))+_$`)

// lastWord returns the last word of a name that is no qualifier, without a number at its end.
func lastWord(name string) string {
	name = strings.Trim(qualifiers.ReplaceAllString(name, "_"), "_")
	return strings.TrimRight(name[strings.LastIndexByte(name, '_')+1:], "0123456789")
}

// keyOfMap ends names of keys that open nothing: those of a cache, or how many there are.
var keyOfMap = regexp.MustCompile(`_(cache|bench|benchmark|num|number|count|max|min|total|map|row|partition|shard|index|lookup|routing|group|hash)_keys?_$`)

func isKeyOfMap(name string) bool { return keyOfMap.MatchString(name) }

// Plain values.
var (
	switchWord = regexp.MustCompile(`(?i)^(true|false|yes|no|on|off|none|enabled?|disabled?|auto|always|never|required|optional)$`)
	shortCount = regexp.MustCompile(`(?i)^[-+]?\d{1,9}(\.\d{1,6})?(e[-+]?\d{1,2})?\s?(%|[kmgt]i?b?|b|x|/s|/m|/h|rps|qps)?$`)
	hostName   = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9.-]{0,100}[A-Za-z0-9])?$`)
	mysqlDSN   = regexp.MustCompile(`^[\w.-]{0,40}@(?:tcp|unix)\([\w.:/-]*\)/\w{0,40}$`)
	pairsDSN   = regexp.MustCompile(`^(?:\w+=[\w.:/@-]*\s*)+$`)
	placeName  = regexp.MustCompile(`_(addr|address|addresses|host|hosts|hostname|endpoint|endpoints|url|uri|server|servers|listen|bind|dsn)_$`)
)

// isPlainValue reports whether a value is no secret in a variable whose name does not say that it is one: a switch, a number or a
// list of some, a duration, the address of a server, a URL or the name of a data source without a password.
func isPlainValue(name, value string) bool {
	switch {
	case isSwitchOrCount(value):
		return true
	case looksRandom(value):
		return false
	case isAddress(value, placeName.MatchString(name)), mysqlDSN.MatchString(value), isPlainURL(value):
		return true
	}
	return strings.Contains(value, "=") && placeName.MatchString(name) && pairsDSN.MatchString(value)
}

// isSwitchOrCount reports whether a value is empty, a switch, a number or a duration, or a list of some.
func isSwitchOrCount(value string) bool {
	if value == "" || switchWord.MatchString(value) {
		return true
	}
	for x := range strings.SplitSeq(value, ",") {
		if _, err := time.ParseDuration(x); (err != nil || len(x) >= 12) && !shortCount.MatchString(x) {
			return false
		}
	}
	return true
}

// isAddress reports whether a value is the address of a server. Where the name does not say so, me:1234 may be a user and a password.
func isAddress(value string, named bool) bool {
	host, port, err := net.SplitHostPort(value)
	if err != nil {
		return net.ParseIP(value) != nil || value == "localhost" || named && hostName.MatchString(value)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return false
	}
	return host == "" || host == "localhost" || net.ParseIP(host) != nil || named && hostName.MatchString(host)
}

// isPlainURL reports whether a value is a URL that has neither a password nor parameters.
func isPlainURL(value string) bool {
	u, err := url.Parse(value)
	if err != nil || u.Scheme == "" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return false
	}
	_, password := u.User.Password()
	return !password
}

// randomRun is a long run of letters and digits.
var randomRun = regexp.MustCompile(`[A-Za-z0-9_+=-]{12,}`)

// looksRandom reports whether a text has a long run of letters with digits among them, as a key.
func looksRandom(text string) bool {
	return slices.ContainsFunc(randomRun.FindAllString(text, -1), func(run string) bool {
		return strings.ContainsAny(run, "0123456789") && strings.ContainsFunc(run, func(r rune) bool { return r > '9' && r != '_' && r != '=' })
	})
}
