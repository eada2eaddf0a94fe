package cli

import (
	"regexp"
	"slices"
	"strings"
)

// secretName matches names of environment variables whose values are not for
// records.
var secretName = regexp.MustCompile(`(?i)(secret|token|passw|pwd|api_?key|private|credential|auth|session|cookie|dsn|database_url|_key$)`)

const masked = "***"

// secrets hides the values of secret-looking variables.
type secrets []string

// newSecrets collects the values in K=V pairs whose names look secret. Short
// values are masked in pairs only: replacing every "1" in an output helps nobody.
func newSecrets(pairs ...string) secrets {
	var out secrets
	for _, p := range pairs {
		if k, v, ok := strings.Cut(p, "="); ok && secretName.MatchString(k) && len(v) >= 4 {
			out = append(out, v)
		}
	}
	// Longer ones first: one may contain another.
	slices.SortFunc(out, func(a, b string) int { return len(b) - len(a) })
	return out
}

// mask replaces each secret in a text.
func (s secrets) mask(text string) string {
	for _, v := range s {
		text = strings.ReplaceAll(text, v, masked)
	}
	return text
}

// maskPair masks the value of one K=V pair if its name looks secret.
func maskPair(pair string) string {
	if k, _, ok := strings.Cut(pair, "="); ok && secretName.MatchString(k) {
		return k + "=" + masked
	}
	return pair
}

// maskArgs masks the pairs of --env in a command line.
func maskArgs(args []string) []string {
	out := slices.Clone(args)
	for i, a := range out {
		if pair, ok := strings.CutPrefix(a, "--env="); ok {
			out[i] = "--env=" + maskPair(pair)
		} else if i > 0 && out[i-1] == "--env" {
			out[i] = maskPair(a)
		}
	}
	return out
}
