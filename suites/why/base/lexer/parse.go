package lexer

// Count returns how many tokens of each kind a source has.
func Count(src []byte) (counts [4]int) {
	var l Lexer
	l.Reset(src)
	for {
		t := l.Next()
		if t.Kind == End {
			return counts
		}
		counts[t.Kind&3]++
	}
}
