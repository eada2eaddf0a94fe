package mutate

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

var textChanges = []change{
	{"bits flipped", flipBits},
	{"cut off", cut},
	{"bytes removed", removeBytes},
	{"noise", noise},
	{"line twice", repeatLine},
	{"lines exchanged", swapLines},
	{"line removed", removeLine},
	{"lines shuffled", shuffleLines},
	{"line of another file", spliceLine},
	{"another file after it", joinFile},
	{"extreme number", replaceToken(numberToken, extremeNumbers)},
	{"extreme number", replaceToken(numberToken, extremeNumbers)}, // twice as likely
	{"all numbers of a key", replaceAll},
	{"value of another type", replaceToken(valueToken, otherTypes)},
	{"hostile text", replaceToken(stringToken, hostileStrings)},
	{"key or value removed", replaceToken(memberToken, []string{""})},
	{"deep nesting", nest},
	{"long line", longLine},
	{"damage inside a payload", damagePayload},
	{"damage inside a payload", damagePayload},
	{"other line ends", func(_ *rand.Rand, data []byte, _ [][]byte) ([]byte, bool) {
		return bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")), true
	}},
}

var (
	numberToken = regexp.MustCompile(`-?\d+(\.\d+)?([eE][+-]?\d+)?`)
	stringToken = regexp.MustCompile(`[A-Za-z][A-Za-z_./-]{2,40}`)
	valueToken  = regexp.MustCompile(`:("[^"\\\n]{0,200}"|-?\d+(\.\d+)?|\{\}|\[\]|true|false)`)
	memberToken = regexp.MustCompile(`"[a-z_]+":("[^"\\\n]{0,200}"|-?\d+(\.\d+)?),`)
	keyToken    = regexp.MustCompile(`"[A-Za-z_/-]+":-?\d`)
)

// lines splits data into lines that keep their ends.
func lines(data []byte) [][]byte { return slices.Collect(bytes.Lines(data)) }

func repeatLine(rng *rand.Rand, data []byte, _ [][]byte) ([]byte, bool) {
	all := lines(data)
	if len(all) == 0 {
		return nil, false
	}
	line := all[rng.IntN(len(all))]
	times := 1
	if rng.IntN(8) == 0 {
		times = max(1, min(1+rng.IntN(500), 2<<20/max(len(line), 1)))
	}
	at := rng.IntN(len(all) + 1)
	return slices.Concat(bytes.Join(all[:at], nil), bytes.Repeat(line, times), bytes.Join(all[at:], nil)), true
}

func swapLines(rng *rand.Rand, data []byte, _ [][]byte) ([]byte, bool) {
	all := lines(data)
	if len(all) < 2 {
		return nil, false
	}
	a, b := rng.IntN(len(all)), rng.IntN(len(all))
	all[a], all[b] = all[b], all[a]
	return bytes.Join(all, nil), true
}

func removeLine(rng *rand.Rand, data []byte, _ [][]byte) ([]byte, bool) {
	all := lines(data)
	if len(all) == 0 {
		return nil, false
	}
	at := rng.IntN(len(all))
	return bytes.Join(slices.Delete(all, at, at+1), nil), true
}

func shuffleLines(rng *rand.Rand, data []byte, _ [][]byte) ([]byte, bool) {
	all := lines(data)
	rng.Shuffle(len(all), func(a, b int) { all[a], all[b] = all[b], all[a] })
	return bytes.Join(all, nil), len(all) > 1
}

func spliceLine(rng *rand.Rand, data []byte, others [][]byte) ([]byte, bool) {
	if len(others) == 0 {
		return nil, false
	}
	all, foreign := lines(data), lines(others[rng.IntN(len(others))])
	if len(foreign) == 0 {
		return nil, false
	}
	from := rng.IntN(len(foreign))
	to := from + 1 + rng.IntN(min(8, len(foreign)-from))
	return bytes.Join(slices.Insert(all, rng.IntN(len(all)+1), foreign[from:to]...), nil), true
}

func joinFile(rng *rand.Rand, data []byte, others [][]byte) ([]byte, bool) {
	if len(others) == 0 {
		return nil, false
	}
	return slices.Concat(data, others[rng.IntN(len(others))]), true
}

// replaceToken puts one of the replacements in the place of some text that the pattern finds.
func replaceToken(token *regexp.Regexp, replacements []string) func(*rand.Rand, []byte, [][]byte) ([]byte, bool) {
	return func(rng *rand.Rand, data []byte, _ [][]byte) ([]byte, bool) {
		from, to, ok := find(rng, token, data)
		if !ok {
			return nil, false
		}
		if token == valueToken {
			from++ // after the colon
		}
		return slices.Concat(data[:from], []byte(replacements[rng.IntN(len(replacements))]), data[to:]), true
	}
}

// find returns some text that the pattern matches. It looks from a drawn place on, so
// that a large file costs no more than a small one.
func find(rng *rand.Rand, token *regexp.Regexp, data []byte) (from, to int, ok bool) {
	if len(data) == 0 {
		return 0, 0, false
	}
	at := rng.IntN(len(data))
	window := data[at:min(len(data), at+8192)]
	found := token.FindIndex(window)
	if found == nil {
		return 0, 0, false
	}
	return at + found[0], at + found[1], true
}

// replaceAll sets a number wherever its key is.
func replaceAll(rng *rand.Rand, data []byte, _ [][]byte) ([]byte, bool) {
	from, to, ok := find(rng, keyToken, data)
	if !ok || len(data) > 1<<20 {
		return nil, false
	}
	key := string(data[from : to-1])
	number := regexp.MustCompile(regexp.QuoteMeta(key) + numberToken.String())
	return number.ReplaceAllLiteral(data, []byte(key+extremeNumbers[rng.IntN(len(extremeNumbers))])), true
}

func nest(rng *rand.Rand, data []byte, _ [][]byte) ([]byte, bool) {
	from, to, ok := find(rng, valueToken, data)
	if !ok {
		return nil, false
	}
	pairs := []string{"[", "]", `{"a":`, "}", `[{"v":`, "}]"}
	i, depth := 2*rng.IntN(len(pairs)/2), 1<<(4+min(rng.IntN(14), rng.IntN(14)))
	deep := strings.Repeat(pairs[i], depth) + "1" + strings.Repeat(pairs[i+1], depth)
	return slices.Concat(data[:from+1], []byte(deep), data[to:]), true
}

func longLine(rng *rand.Rand, data []byte, _ [][]byte) ([]byte, bool) {
	if len(data) == 0 {
		return nil, false
	}
	at := rng.IntN(len(data))
	long := strings.Repeat(fillers[rng.IntN(len(fillers))], 1<<(8+min(rng.IntN(12), rng.IntN(12))))
	return slices.Concat(data[:at], []byte(long), data[at:]), true
}
