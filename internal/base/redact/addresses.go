package redact

import (
	"regexp"
	"strings"
)

// scheme matches the beginning of a URL, and of one from which [path/filepath.Clean] removed a slash: https:/user:password@host.
// Drive letters such as C:/ do not match.
var scheme = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://|[A-Za-z][A-Za-z0-9+.-]{2,}:/`)

// afterURL are the characters that end a URL in a text.
const afterURL = " \t\r\n\v\f\"'<>`"

// addresses returns a text with the secrets of each URL in it hidden: user information, the signature of a signed link,
// tokens. Parameters such as ?sig=… are hidden without a URL before them, too. All that tare shows people and writes in
// records passes here, because errors of the standard library and of drivers repeat the address that they were given.
func addresses(text string) string {
	text = redactProofs(text)
	if !mayHold(text) {
		return text
	}
	if strings.Contains(text, ":/") {
		text = redactAddresses(text)
	}
	return redactParameters(redactDrivers(text))
}

// driver matches user:password@tcp(host), as MySQL's driver for Go has it.
var driver = regexp.MustCompile(`([^\s:/@"'` + "`" + `(=]*:)\S+?(@(?:tcp6?|udp|unix|pipe|memory)\()`)

func redactDrivers(text string) string {
	if !strings.Contains(text, "(") || !strings.Contains(text, "@") {
		return text
	}
	return driver.ReplaceAllString(text, "${1}"+Placeholder+"${2}")
}

// mayHold reports whether a text has a character without which there is nothing to hide. It is called for every text of
// every line of a record.
func mayHold(text string) bool {
	for i := range len(text) {
		switch text[i] {
		case ':', '?', '&', '%', '\\':
			return true
		}
	}
	return false
}

func redactAddresses(text string) string {
	var b strings.Builder
	for {
		at := scheme.FindStringIndex(text)
		if at == nil {
			b.WriteString(text)
			return b.String()
		}
		web := strings.HasPrefix(text[at[0]:], "http:") || strings.HasPrefix(text[at[0]:], "https:")
		lone := loneUserIsSecret(text[at[0]:])
		b.WriteString(text[:at[1]])
		text = text[at[1]:]
		from, to := userInfo(text, web, lone)
		if from < to {
			b.WriteString(text[:from])
			b.WriteString(Placeholder)
			text = text[to:]
		}
		end := urlEnd(text)
		b.WriteString(redactPairs(text[:end]))
		text = text[end:]
	}
}

// urlEnd returns how much of a text belongs to the URL that it begins in.
func urlEnd(text string) int {
	if end := strings.IndexAny(text, afterURL); end >= 0 {
		return end
	}
	return len(text)
}

// userInfo returns the range of the secret between :// and the host, in the text behind ://. The range is empty if there is
// no secret. A password that was not escaped may contain characters that end a URL, so that the @ behind it may follow the
// URL's end. If there is no @, the range is the text behind the colon, unless that is a port.
func userInfo(text string, web, lone bool) (from, to int) {
	if strings.HasPrefix(text, "/") { // file:///a:b@c has no host
		return 0, 0
	}
	end := urlEnd(text)
	if slash := authorityEnd(text[:end]); web && slash > 0 {
		text, end = text[:slash], slash // an @ of the path, as in /@v/list, belongs to no user
	}
	url := text[:end]
	at := strings.LastIndexByte(url, '@')
	more := lastAt(text, end, " \t\r\n") // of the same word
	if at >= 0 {
		colon := portColon(url[:at])
		if colon < 0 {
			colon = strings.IndexByte(url, ':')
		}
		switch {
		case colon >= 0 && colon < at:
			if next := scheme.FindStringIndex(url[colon:]); next != nil && strings.HasPrefix(url[colon+1:], Placeholder+"@") { // hidden before
				return colon + 1, colon + strings.LastIndexByte(url[colon:colon+next[0]], '@')
			}
			return colon + 1, max(at, more)
		case lone || looksRandom(url[:loneUser(url)]):
			return 0, loneUser(url)
		}
		return 0, 0
	}
	colon := portColon(url)
	if colon < 0 || colon > 0 && isPort(url[colon+1:]) {
		return 0, 0
	}
	if colon+1 == end { // a sentence may go on behind a host
		return colon + 1, more
	}
	if more = lastAt(text, end, "\r\n"); more > 0 {
		end = more
	}
	return colon + 1, end
}

// server matches a host that no password looks like, with its port, up to the path.
var server = regexp.MustCompile(`^(?i:localhost|\[[0-9a-f:]+\]|[a-z0-9-]+(?:\.[a-z0-9-]+)+)(?::[0-9]{1,5})?/`)

// authorityEnd returns where the path of a URL begins, if there is certainly a host before it; 0 otherwise.
func authorityEnd(url string) int {
	slash := strings.IndexByte(url, '/')
	if slash < 0 || !server.MatchString(url[strings.LastIndexByte(url[:slash], '@')+1:]) {
		return 0
	}
	return slash
}

// mostPassword is how far behind a URL's end an @ is searched for, in bytes. Without a limit a line of many URLs would take
// time by the square of its length.
const mostPassword = 1 << 10

// lastAt returns the index of the last @ behind a URL's end and before stop or another URL; -1 if there is none.
func lastAt(text string, end int, stop string) int {
	rest := text[end:min(len(text), end+mostPassword)]
	if i := strings.IndexAny(rest, stop); i >= 0 {
		rest = rest[:i]
	}
	if next := scheme.FindStringIndex(rest); next != nil {
		rest = rest[:next[0]]
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		return end + i
	}
	return -1
}

// portColon returns the index of the colon behind a URL's host or user, -1 if there is none.
func portColon(url string) int {
	host := url
	if end := strings.IndexAny(host, "/?#"); end >= 0 {
		host = host[:end]
	}
	begin := 0
	if strings.HasPrefix(host, "[") { // an address of IPv6
		begin = strings.IndexByte(host, ']') + 1
	}
	if i := strings.IndexByte(host[begin:], ':'); i >= 0 {
		return begin + i
	}
	return -1
}

// port matches a port, what stands for one in a message, and what may follow it in a text.
var port = regexp.MustCompile(`(?i)^([0-9]{1,5}|port\]?|\{port\})($|[/?#,:\\]|[.;)\]}…]+$)`)

func isPort(text string) bool { return port.MatchString(text) }

// parameter matches the name of a parameter with what separates it from others and from its value, escaped in the ways of
// URLs, JSON and HTML or not.
var parameter = regexp.MustCompile(`(?i)(?:[?&]|\\+u0026|\\+u003f|&amp;|%26|%3f)((?:[a-z0-9_.\[\]-]|%(?:[013-9a-f][0-9a-f]|2[0-57-9a-f]|3[0-9a-ce]))+)(?:=|\\+u003d|%3d)`)

// redactParameters hides the values of secret parameters of URLs, up to the URL's end.
func redactParameters(text string) string {
	if !strings.ContainsAny(text, `?&\%`) || !strings.ContainsAny(text, "=3") { // 3 is in all escapes of =
		return text
	}
	var b strings.Builder
	for {
		at := parameter.FindStringSubmatchIndex(text)
		if at == nil {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:at[1]])
		name := decodedName(text[at[2]:at[3]])
		text = text[at[1]:]
		if end := urlEnd(text); end > 0 && text[0] != '=' && (secretParameter(name) || signs(name)) { // flags&key == 0 is source code
			b.WriteString(Placeholder)
			text = text[beforeColon(text, 0, end):]
		}
	}
}
