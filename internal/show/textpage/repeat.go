package textpage

import (
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/record"
)

// RepeatArgs returns the command line that repeats a run in the same order: that of
// the run, with its seed.
func RepeatArgs(run *record.Run) []string {
	if run == nil || len(run.Command) == 0 {
		return nil
	}
	args := WithoutOutput(run.Command)
	at := min(2, len(args)) // behind the verb
	for i, a := range args {
		if a == "--" && i > 0 {
			at = min(at, i)
			break
		}
		if a == "--seed" || strings.HasPrefix(a, "--seed=") {
			return args
		}
	}
	if at == 2 && strings.HasPrefix(args[1], "-") {
		at = 1
	}
	return slices.Insert(args, at, "--seed", run.Seed.String())
}

// notRepeated are flags with values that do not belong to a run: a repeated one must not replace the record, and who looks on
// while it goes on is another matter.
var notRepeated = []string{"-o", "--output", "--live", "--live-token", "--live-cert", "--live-key", "--live-linger"}

// WithoutOutput returns the command line without the arguments of notRepeated. Its first word is that of the program, whatever it is.
func WithoutOutput(command []string) []string {
	out := slices.Clone(command[:min(1, len(command))])
	for i := 1; i < len(command); i++ {
		a := command[i]
		if a == "--" {
			return append(out, command[i:]...)
		}
		switch name, _, joined := strings.Cut(a, "="); {
		case !slices.Contains(notRepeated, name):
			out = append(out, a)
		case !joined:
			i++ // its value
		}
	}
	return out
}

// Repeat writes the command line that repeats a run, if it is known.
func (p *Page) Repeat(run *record.Run) {
	const head = "repeat: "
	p.Hung(termtext.Dim, head, Command(p.Charset, RepeatArgs(run), p.Columns-len(head)))
}

// Command writes args as a shell takes them. Lines longer than n are continued
// with a backslash, which a shell takes too.
func Command(c termtext.Charset, args []string, n int) []string {
	var lines []string
	for i := 0; i < len(args); i++ {
		word := shell(c, args[i])
		if strings.HasPrefix(word, "--") && !strings.Contains(word, "=") && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
			i++ // a flag stays with its value
			word += " " + shell(c, args[i])
		}
		if k := len(lines) - 1; k >= 0 && termtext.Width(lines[k])+1+termtext.Width(word)+2 <= n {
			lines[k] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	for i := range len(lines) - 1 {
		lines[i] += ` \`
	}
	return lines
}

// shell quotes one word for sh; what cannot be printed takes the $'…' of bash,
// zsh and POSIX 2024.
func shell(cs termtext.Charset, s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%^") == "" {
		return s
	}
	if cs.Name(s) == s {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	const hex = "0123456789abcdef"
	var b strings.Builder
	b.WriteString("$'")
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\'' || c == '\\':
			b.WriteString(`\` + string(c))
		case c < ' ' || c > '~':
			// Three octal digits cannot swallow the digit that follows; \x can.
			b.WriteString(`\` + string([]byte{hex[c>>6], hex[c>>3&7], hex[c&7]}))
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + "'"
}
