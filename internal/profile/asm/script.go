package asm

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// scriptSample is a sample as printed by perf script.
type scriptSample struct {
	event  string // with its modifiers
	period int64  // 0: not printed
	frame
}

// frame is an address with its symbol.
type frame struct {
	ip     uint64
	sym    string // "": unknown
	offset int64  // of ip in sym; -1: not printed
	dso    string // "": unknown
}

// maxScriptLine limits a line in bytes. C++ has symbols of some KiB.
const maxScriptLine = 1 << 20

// readScript reads the default output of perf script, with or without call chains, or that with -F
// time,event,ip,sym,dso. It calls see for each sample.
func readScript(r io.Reader, see func(scriptSample)) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxScriptLine)
	var chain struct {
		scriptSample
		open, skip bool // open: the address is on the next line; skip: callers follow
	}
	for n := 1; in.Scan(); n++ {
		line := in.Text()
		switch {
		case strings.TrimSpace(line) == "":
			chain.open, chain.skip = false, false
		case line[0] == '#' || chain.skip:
		case chain.open:
			f, ok := parseFrame(line)
			if !ok {
				return fmt.Errorf("line %d: %q is not an address", n, short(line))
			}
			chain.frame, chain.skip = f, true
			see(chain.scriptSample)
		default:
			s, rest, ok := parseHead(line)
			if !ok {
				return fmt.Errorf("line %d: %q is not a sample of perf script", n, short(line))
			}
			if strings.TrimSpace(rest) == "" {
				chain.scriptSample, chain.open = s, true
				continue
			}
			if s.frame, ok = parseFrame(rest); !ok {
				return fmt.Errorf("line %d: %q has no address", n, short(line))
			}
			see(s)
		}
	}
	if errors.Is(in.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("a line of more than %d bytes: not the text of perf script", maxScriptLine)
	}
	return in.Err()
}

// short returns the beginning of a line, for errors.
func short(line string) string {
	const most = 80
	if line = strings.TrimSpace(line); len(line) > most {
		return line[:most] + "…"
	}
	return line
}

// parseHead parses a line up to the address: "comm 12 [000] 1.5: 250000 cycles:u: rest". It starts at the time,
// because comm may contain anything.
func parseHead(line string) (s scriptSample, rest string, ok bool) {
	rest = line
	for !ok {
		var word string
		if word, rest = nextWord(rest); word == "" {
			return s, "", false
		}
		ok = isTime(word)
	}
	word, after := nextWord(rest)
	if n, err := strconv.ParseInt(word, 10, 64); err == nil && n >= 0 {
		s.period = n
		word, after = nextWord(after)
	}
	s.event, ok = strings.CutSuffix(word, ":")
	return s, after, ok && s.event != ""
}

// isTime reports whether a word is a time: seconds since boot or absolute.
func isTime(word string) bool {
	word, ok := strings.CutSuffix(word, ":")
	whole, part, dot := strings.Cut(word, ".")
	return ok && dot && digits(whole) && digits(part)
}

func digits(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}

func nextWord(s string) (word, rest string) {
	s = strings.TrimLeft(s, " \t")
	if i := strings.IndexAny(s, " \t"); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

// parseFrame parses "4a3f20 main.work+0x1c (/tmp/work)". Symbols may contain spaces and parentheses.
func parseFrame(text string) (f frame, ok bool) {
	word, rest := nextWord(text)
	ip, err := strconv.ParseUint(word, 16, 64)
	if err != nil {
		return f, false
	}
	f = frame{ip: ip, offset: -1}
	if rest = strings.TrimSpace(rest); strings.HasSuffix(rest, " (deleted))") {
		rest = strings.TrimSuffix(rest, " (deleted))") + ")"
	}
	if i := strings.LastIndex(rest, "("); i >= 0 && strings.HasSuffix(rest, ")") && (i == 0 || rest[i-1] == ' ') {
		f.dso, rest = rest[i+1:len(rest)-1], strings.TrimSpace(rest[:i])
	}
	if i := strings.LastIndex(rest, "+0x"); i > 0 {
		if off, err := strconv.ParseInt(rest[i+3:], 16, 64); err == nil {
			f.offset, rest = off, rest[:i]
		}
	}
	f.sym = known(strings.TrimSuffix(rest, ".abi0")) // only symbol tables have this suffix
	f.dso = known(f.dso)
	return f, true
}

// known returns s, or "" if perf marks it as unknown.
func known(s string) string {
	if s == "[unknown]" || s == "unknown" {
		return ""
	}
	return s
}
