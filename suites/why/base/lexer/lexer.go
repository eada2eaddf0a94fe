// Package lexer splits expressions into tokens.
package lexer

// A Kind is the kind of a token.
type Kind uint8

// The kinds of tokens.
const (
	End Kind = iota
	Name
	Number
	Sign
)

// A Token is a part of the source.
type Token struct {
	Kind       Kind
	Start, End int // offsets in bytes
}

// A Lexer returns the tokens of a source.
type Lexer struct {
	src []byte
	pos int
}

// Reset has the lexer begin a source.
func (l *Lexer) Reset(src []byte) { l.src, l.pos = src, 0 }

// Next returns the next token. Behind the last one its kind is End.
//
//go:noinline
func (l *Lexer) Next() Token {
	src, i := l.src, l.pos
	for i < len(src) && src[i] <= ' ' {
		i++
	}
	t := Token{Kind: End, Start: i}
	if i < len(src) {
		t.Kind, i = scan(src, i)
	}
	t.End, l.pos = i, i
	return t
}

// scan returns the kind of the token at i, and where it ends.
func scan(src []byte, i int) (Kind, int) {
	switch c := src[i]; {
	case isLetter(c):
		for i++; i < len(src) && (isLetter(src[i]) || isDigit(src[i])); i++ {
		}
		return Name, i
	case isDigit(c):
		for i++; i < len(src) && (isDigit(src[i]) || src[i] == '.'); i++ {
		}
		return Number, i
	}
	return Sign, i + 1
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
