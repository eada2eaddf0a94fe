package compiler

import (
	"encoding/binary"
	"go/scanner"
	"go/token"
	"hash/fnv"

	"github.com/tarebench/tare/record"
)

// lines are the tokens of a file. Comments and white space do not count.
type lines struct{ tokens []tokenAt }

type tokenAt struct {
	place
	text string
}

func newLines(text []byte) *lines {
	l := &lines{}
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, 0)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return l
		}
		if tok == token.SEMICOLON && lit == "\n" {
			continue
		}
		if lit == "" {
			lit = tok.String()
		}
		at := file.PositionFor(pos, false)
		l.tokens = append(l.tokens, tokenAt{place{at.Line, at.Column}, lit})
	}
}

// hashes returns a hash of each line from first to last, of the tokens behind open and before end: 0 for a line
// without any.
func (l *lines) hashes(first, last int, open, end place) []byte {
	out := make([]byte, (last-first+1)*record.SourceHash)
	h := fnv.New32a()
	line := 0
	flush := func() {
		if line > 0 {
			binary.LittleEndian.PutUint32(out[(line-first)*record.SourceHash:], max(1, h.Sum32()))
		}
		h.Reset()
	}
	for _, t := range l.from(open) {
		if !t.before(end) {
			break
		}
		if t.line != line {
			flush()
			line = t.line
		}
		h.Write([]byte(t.text))
		h.Write([]byte{0})
	}
	flush()
	return out
}

// from returns the tokens behind a place.
func (l *lines) from(p place) []tokenAt {
	lo, hi := 0, len(l.tokens)
	for lo < hi {
		if mid := (lo + hi) / 2; p.before(l.tokens[mid].place) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return l.tokens[lo:]
}
