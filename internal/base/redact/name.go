package redact

import (
	"strings"
	"unicode"
)

// SecretName reports whether the value of a variable, flag, header, property or parameter of that name is a secret. Case
// and separators do not count: API_KEY, apiKey and x-api-key are the same. It is false for names of properties of a secret:
// password.file is a path, max_tokens a number. In uncertain cases it returns true.
func SecretName(name string) bool {
	switch name {
	case "PWD", "OLDPWD": // the directories of a shell; pwd is a password
		return false
	case "PAT", "--pin": // a personal access token; pat is a pattern, and a pin of a board
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
	return hasSecretPart(name) && !isAboutSecret(name) && hasSecretPart(harmless.Replace(name))
}

// secretParts make a value a secret wherever they stand in a name; an underscore is the end of a word.
var secretParts = []string{
	"secret", "token", "credential", "cred_", "creds_", "cookie", "bearer", "private", "session", "sessid_", "sess_id_", "webhook",
	"passw", "pass_word", "passphrase", "pass_phrase", "passcode", "pass_code", "passkey", "pass_key", "passin_", "passout_", "pwd_", "_pwd", "_pw_", "_spw_",
	"auth_", "auth1_", "auth2_", "authen", "authn_", "authz_", "authori", "authkey", "_jwt", "jwt_", "_otp_", "_totp_", "_sas_",
	"apikey", "api_key", "accesskey", "access_key", "secretkey", "sshkey", "masterkey", "signingkey", "encryptionkey", "accountkey", "licensekey", "sharedkey", "deploykey",
	"dsn_", "_dsn", "databaseurl", "database_url", "connectionstring", "connection_string", "kubeconfig", "kube_config",
	"conn_str", "connstr", "mnemonic", "seedphrase_", "seed_phrase_", "_nkey_", "_psk_", "_hmac_", "keystore_", "_p12_", "_pfx_", "account_json_", "_sa_json_", "extraheader",
}

// secretEnds count at the end only: pass_count and key_size are numbers. A key alone is that of a map, and a pat is a
// pattern.
var secretEnds = []string{"pass_", "signature_", "signatures_", "?_key_", "?_keys_", "?_pat_", "?_pin_", "?_pem_", "?_sa_", "pw_"}

// hasSecretPart reports whether the words of a name have a part that makes a value a secret.
func hasSecretPart(name string) bool {
	for _, part := range secretParts {
		if strings.Contains(name, part) {
			return true
		}
	}
	for _, end := range secretEnds {
		end, more := strings.CutPrefix(end, "?")
		if strings.HasSuffix(name, end) && (!more || len(name) > len(end)) {
			return true
		}
	}
	return false
}

// harmless removes words that only look like such a part: persons, programs, the sessions and sockets of a desktop, the
// patterns of module paths in GOPRIVATE.
var harmless = strings.NewReplacer(
	"secretary_", "", "secretaries_", "", "secretariat_", "", "tokeniz", "", "tokenis", "", "author_", "", "authors_", "", "authored_", "", "authority_", "", "authorities_", "", "authorship_", "",
	"auth_sock_", "", "_xdg_session", "_", "_desktop_session", "_", "_session_manager_", "_", "_sessionname_", "_", "_kde_session", "_", "_kde_full_session_", "_", "_gdmsession_", "_", "_lxsession", "_",
	"_term_session_id_", "_", "_iterm_session_id_", "_", "_wt_session_", "_", "_securitysessionid_", "_", "_goprivate_", "_",
	"compass_", "", "bypass_", "", "surpass_", "", "trespass_", "", "overpass_", "", "underpass_", "",
	"primary_key", "", "foreign_key", "", "public_key", "", "sort_key", "", "partition_key", "", "row_key", "",
)

// aboutEnds end names whose values tell about a secret: where it is, how long, how many there are.
var aboutEnds = []string{
	"file_", "path_", "_dir_", "_directory_", "_folder_", "_name_", "_len_", "_length_", "_size_", "_ttl_", "_timeout_", "_type_", "_count_", "_limit_", "_max_", "_min_",
}

// isAboutSecret reports whether a name is that of a property of a secret, or of a number of tokens as of a text.
func isAboutSecret(name string) bool {
	for _, end := range aboutEnds {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	rest, of := strings.CutSuffix(strings.TrimSuffix(strings.TrimSuffix(name, "_"), "s"), "token")
	if !of {
		return false
	}
	for _, part := range []string{"new_", "input_", "output_", "prompt_", "completion_"} {
		rest = strings.TrimSuffix(rest, part)
	}
	switch strings.TrimSuffix(rest, "_") {
	case "_max", "_min", "_num", "_n", "_count", "_total":
		return true
	}
	return false
}

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
