package redact

import "strings"

// proof is the form of a secret that shows what it is, whatever its name: what it begins with, and how many characters of
// which kind follow. The numbers keep other words from being taken for one.
type proof struct {
	prefix      string
	least, most int
	kind        func(byte) bool
}

// proofs are the formats of access tokens: prefix, least and most characters behind it, and which characters. Key IDs, such as
// AKIA… of AWS, are not listed: they name an account and give no access.
var proofs = []proof{
	{"sk_live_", 16, 250, isAlnum}, {"rk_live_", 16, 250, isAlnum}, {"sk_test_", 16, 250, isAlnum}, {"rk_test_", 16, 250, isAlnum}, {"whsec_", 24, 100, isBase64},
	{"ghp_", 36, 250, isAlnum}, {"gho_", 36, 250, isAlnum}, {"ghu_", 36, 250, isAlnum}, {"ghs_", 36, 250, isTokenByte}, {"ghr_", 36, 250, isAlnum}, {"github_pat_", 40, 250, isTokenByte},
	{"glpat-", 20, 300, isNameByte}, {"gldt-", 20, 300, isNameByte}, {"glrt-", 20, 300, isNameByte}, {"glptt-", 40, 300, isNameByte}, {"glcbt-", 20, 300, isNameByte},
	{"xoxb-", 20, 250, isTokenByte}, {"xoxa-", 20, 250, isTokenByte}, {"xoxp-", 20, 250, isTokenByte}, {"xoxr-", 20, 250, isTokenByte}, {"xoxs-", 20, 250, isTokenByte}, {"xoxe", 20, 300, isNameByte}, {"xapp-", 20, 250, isTokenByte},
	{"AIza", 35, 35, isTokenByte}, {"ya29.", 20, 2000, isTokenByte}, {"hf_", 30, 40, isAlnum}, {"npm_", 36, 36, isAlnum}, {"pypi-", 50, 1000, isTokenByte}, {"dckr_pat_", 20, 100, isTokenByte},
	{"sk-ant-", 20, 250, isTokenByte}, {"sk-proj-", 20, 250, isTokenByte}, {"sk-", 40, 100, isAlnum}, {"SG.", 60, 80, isNameByte}, {"dop_v1_", 64, 64, isAlnum}, {"shpat_", 16, 64, isAlnum}, {"shpca_", 16, 64, isAlnum}, {"shppa_", 16, 64, isAlnum}, {"shpss_", 16, 64, isAlnum}, {"ATATT3x", 20, 400, isPaddedByte}, {"hvs.", 24, 300, isTokenByte},
	{"AGE-SECRET-KEY-", 16, 4000, isTokenByte}, {"SA", 56, 56, isBase32}, {"SC", 56, 56, isBase32}, {"SN", 56, 56, isBase32}, {"SO", 56, 56, isBase32}, {"SU", 56, 56, isBase32}, // the last are seeds of NATS
	{"eyJ", 20, 8000, isNameByte},
}

// hooks are addresses that are secrets themselves: knowledge of the path is enough to post there.
var hooks = []proof{
	{"hooks.slack.com/services/", 8, 300, isPathByte}, {"hooks.slack.com/workflows/", 8, 300, isPathByte}, {"hooks.slack.com/triggers/", 8, 300, isPathByte},
	{"discord.com/api/webhooks/", 8, 300, isPathByte}, {"discordapp.com/api/webhooks/", 8, 300, isPathByte}, {"webhook.office.com/", 8, 500, isPathByte}, {"outlook.office.com/webhook/", 8, 500, isPathByte},
	{"api.telegram.org/bot", 8, 100, isBotByte}, {"api.telegram.org/file/bot", 8, 100, isBotByte}, {"hooks.zapier.com/hooks/", 8, 200, isPathByte}, {"open.feishu.cn/open-apis/bot/v2/hook/", 8, 200, isPathByte},
}

func isTokenByte(c byte) bool  { return isNameByte(c) && c != '.' }
func isPaddedByte(c byte) bool { return isTokenByte(c) || c == '=' }
func isBase32(c byte) bool     { return c >= 'A' && c <= 'Z' || c >= '2' && c <= '7' }
func isPathByte(c byte) bool   { return isNameByte(c) || strings.IndexByte("/@%~:", c) >= 0 }
func isBotByte(c byte) bool    { return isTokenByte(c) || c == ':' }

// proofStarts are the first two bytes of proofs, and proofsBy the proofs by their first byte.
var proofStarts, proofsBy = func() (starts pairSet, by [256][]proof) {
	for _, p := range proofs {
		starts.add(p.prefix)
		by[p.prefix[0]] = append(by[p.prefix[0]], p)
	}
	return starts, by
}()

// redactProofs hides secrets that show by their form what they are.
func redactProofs(text string) string {
	var spans []span
	for i := 0; i+1 < len(text); i++ {
		if !proofStarts.has(text[i], text[i+1]) {
			continue
		}
		for _, p := range proofsBy[text[i]] {
			if from, to := p.find(text, i); from < to {
				spans = append(spans, span{from, to})
				i = to - 1
				break
			}
		}
	}
	if strings.Contains(text, "hook") || strings.Contains(text, "/bot") {
		for _, p := range hooks {
			for at := 0; ; {
				next := strings.Index(text[at:], p.prefix)
				if next < 0 {
					break
				}
				at += next + len(p.prefix)
				if to := at + p.length(text[at:]); to > at {
					spans = append(spans, span{at, beforeColon(text, at, to)})
				}
			}
		}
	}
	text = redactRanges(text, spans)
	for _, name := range keyNames {
		if strings.Contains(text, name) {
			text = redactKeys(text, name)
		}
	}
	return text
}

// find returns the range of the secret if a text has the form of p at an index, else an empty range.
func (p proof) find(text string, at int) (from, to int) {
	if !strings.HasPrefix(text[at:], p.prefix) || at > 0 && isAlnum(text[at-1]) && !endsEscape(text[:at]) {
		return 0, 0
	}
	begin := at + len(p.prefix)
	n := p.length(text[begin:])
	if n == 0 || !isMixed(text[begin:begin+n]) || p.prefix == "eyJ" && !isJWT(text[at:begin+n]) {
		return 0, 0
	}
	return at, begin + n
}

// length returns how many bytes of the form's kind a text begins with, without the end of a sentence; 0 if they are too few
// or too many.
func (p proof) length(text string) int {
	n := 0
	for n < len(text) && p.kind(text[n]) {
		n++
	}
	n = len(strings.TrimRight(text[:n], ".-"))
	if n < p.least || n > p.most {
		return 0
	}
	return n
}

// endsEscape reports whether a text ends with an escape, whose last character is no part of what follows: %3D, \n, \u003d.
func endsEscape(text string) bool {
	n := len(text)
	return n > 1 && text[n-2] == '\\' || n > 2 && text[n-3] == '%' || n > 5 && text[n-6] == '\\' && text[n-5] == 'u'
}

// isMixed reports whether a text has digits, or letters of both cases, as what is drawn by lot.
func isMixed(text string) bool {
	return strings.ContainsAny(text, "0123456789") || strings.ToLower(text) != text && strings.ToUpper(text) != text
}

// isJWT reports whether a text has the form of a signed token: two objects of JSON and a signature.
func isJWT(text string) bool {
	parts := strings.Split(text, ".")
	return len(parts) >= 3 && len(parts[0]) >= 10 && (strings.HasPrefix(parts[1], "eyJ") || len(parts) == 5)
}

// keyNames end the first and the last line of a key.
var keyNames = []string{"PRIVATE KEY", "NKEY SEED"}

// redactKeys hides what stands between the first and the last line of a key, or as much of it as there is.
func redactKeys(text, name string) string {
	var b strings.Builder
	for {
		at := strings.Index(text, name)
		if at < 0 {
			b.WriteString(text)
			return b.String()
		}
		lineEnd := at + len(name) + dashes(text[at+len(name):])
		begin := strings.LastIndex(text[:at], "-----BEGIN ")
		end := strings.LastIndex(text[:at], "-----END ")
		switch {
		case begin > end && at-begin < mostKeyName:
			b.WriteString(text[:lineEnd])
			text = text[lineEnd:]
			to := strings.Index(text, "-----END")
			if to < 0 {
				to = len(text)
				if !strings.HasPrefix(text, "\n") && !strings.HasPrefix(text, "\r") && !strings.HasPrefix(text, `\`) {
					to -= len(strings.TrimLeftFunc(text, isKeyRune))
				}
			}
			if body := strings.Trim(text[:to], "\\nr \r\n\t"); body != "" && body != Placeholder {
				b.WriteString(Placeholder)
				text = text[to:]
			}
		case end >= 0 && at-end < mostKeyName: // its beginning is missing
			from := end - len(text[:end]) + len(strings.TrimRightFunc(text[:end], isKeyRune))
			if body := strings.TrimSpace(text[from:end]); body != "" {
				b.WriteString(text[:from] + Placeholder + "\n" + text[end:lineEnd])
			} else {
				b.WriteString(text[:lineEnd])
			}
			text = text[lineEnd:]
		default:
			b.WriteString(text[:lineEnd])
			text = text[lineEnd:]
		}
	}
}

// mostKeyName is how many bytes may stand between the dashes and the name of a key: "-----BEGIN OPENSSH ".
const mostKeyName = 40

func isKeyRune(r rune) bool {
	return r < 0x80 && (isAlnum(byte(r)) || strings.ContainsRune("+/=\r\n", r))
}

// dashes returns the length of what ends the first line of a key.
func dashes(text string) int {
	return len(text) - len(strings.TrimLeft(strings.TrimPrefix(text, " BLOCK"), "-"))
}
