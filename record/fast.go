package record

import (
	"strconv"
	"unicode/utf8"
)

const (
	sampleBlock = 64   // samples allocated at once
	valueBlock  = 256  // values allocated at once
	maxRow      = 4096 // limit of values of a line that are kept for the next
	maxInterned = 1024 // limit of interned strings
)

// A sampleDecoder decodes sample lines of exactly the form in which Writer
// writes them: the keys in order, no white space, no escapes. It rejects all other
// lines, which encoding/json decodes. For lines that it accepts, encoding/json gives
// the same result about ten times slower; FuzzSampleFastPath compares the two.
type sampleDecoder struct {
	samples []Sample // rest of the block
	values  []Value  // rest of the block
	phase   string   // of the last line; likely the same in the next
	role    string   // of the last line; likely the same in the next
	row     []Value  // values of the last line; its units are likely those of the next
	strings map[string]string
}

// decode returns the sample of a line, or nil if encoding/json has to decode it.
func (d *sampleDecoder) decode(text []byte) *Sample {
	c := cursor{rest: text, ok: true}
	if !c.skip(`{"k":"sample","fork":`) {
		return nil
	}
	var s Sample
	fork := c.int()
	c.want(`,"iter":`)
	iter := c.int()
	c.want(`,"phase":`)
	s.Phase = d.intern(c.text(), d.phase)
	if c.skip(`,"role":`) {
		s.Role = d.intern(c.text(), d.role)
	}
	c.want(`,"t":`)
	s.T = c.int()
	if c.skip(`,"wall":`) {
		s.Wall = c.int()
	}
	if c.skip(`,"cpu":`) {
		s.CPU = c.int()
	}
	if c.skip(`,"delay":`) {
		s.Delay = c.int()
	}
	s.Batched = c.skip(`,"batched":true`)
	c.want(`,"ns":`)
	s.Ns = c.int()
	c.want(`,"ops":`)
	s.Ops = c.int()
	c.want(`,"v":{`)
	s.Fork, s.Iter = int(fork), int(iter)
	if !c.ok || int64(s.Fork) != fork || int64(s.Iter) != iter {
		return nil
	}
	d.readValues(&c)
	c.want(`}`)
	if !c.ok || len(c.rest) > 0 {
		return nil
	}
	s.V = d.keepValues()
	d.phase, d.role = s.Phase, s.Role
	return d.keep(s)
}

// readValues reads the units and values after the opening brace into d.row.
func (d *sampleDecoder) readValues(c *cursor) {
	last := d.row
	d.row = d.row[:0] // in place: a unit is compared before it is overwritten
	if c.skip(`}`) {
		return
	}
	for i := 0; c.ok; i++ {
		guess := ""
		if i < len(last) {
			guess = last[i].Unit
		}
		unit := d.intern(c.text(), guess)
		c.want(`:`)
		d.row = append(d.row, Value{unit, c.value()})
		if !c.skip(`,`) {
			c.want(`}`)
			return
		}
	}
}

// keepValues moves d.row into a block.
func (d *sampleDecoder) keepValues() Values {
	n := len(d.row)
	if n == 0 {
		return nil
	}
	if n > len(d.values) {
		d.values = make([]Value, max(n, valueBlock))
	}
	vs := d.values[:n:n] // an append by the caller must not reach the neighbour
	d.values = d.values[n:]
	copy(vs, d.row)
	if cap(d.row) > maxRow {
		d.row = nil
	}
	return vs
}

// keep moves s into a block.
func (d *sampleDecoder) keep(s Sample) *Sample {
	if len(d.samples) == 0 {
		d.samples = make([]Sample, sampleBlock)
	}
	p := &d.samples[0]
	d.samples = d.samples[1:]
	*p = s
	return p
}

// intern returns text as a string. It does not allocate if text equals the guess or a
// string seen before.
func (d *sampleDecoder) intern(text []byte, guess string) string {
	if string(text) == guess {
		return guess
	}
	if s, ok := d.strings[string(text)]; ok {
		return s
	}
	s := string(text)
	if d.strings == nil {
		d.strings = make(map[string]string)
	}
	if len(d.strings) < maxInterned && len(s) <= 128 {
		d.strings[s] = s
	}
	return s
}

// A cursor reads strict JSON tokens from the front of rest. After an unexpected
// token, ok is false and all further results are invalid.
type cursor struct {
	rest []byte
	ok   bool
}

// skip skips s if it is next, and reports whether it was.
func (c *cursor) skip(s string) bool {
	if len(c.rest) >= len(s) && string(c.rest[:len(s)]) == s {
		c.rest = c.rest[len(s):]
		return true
	}
	return false
}

// want skips s, which must be next.
func (c *cursor) want(s string) {
	if !c.skip(s) {
		c.ok = false
	}
}

// text reads a string without escapes and returns the text between the quotation
// marks.
func (c *cursor) text() []byte {
	if !c.skip(`"`) {
		c.ok = false
		return nil
	}
	ascii := true
	for i, b := range c.rest {
		switch {
		case b == '"':
			s := c.rest[:i]
			c.rest = c.rest[i+1:]
			c.ok = c.ok && (ascii || utf8.Valid(s)) // encoding/json replaces what is invalid
			return s
		case b == '\\' || b < ' ':
			c.ok = false
			return nil
		case b >= utf8.RuneSelf:
			ascii = false
		}
	}
	c.ok = false
	return nil
}

// digits reads decimal digits and returns their number; n overflows silently
// above 18 of them.
func (c *cursor) digits(n uint64) (uint64, int) {
	for i, b := range c.rest {
		b -= '0'
		if b > 9 {
			c.rest = c.rest[i:]
			return n, i
		}
		n = n*10 + uint64(b)
	}
	i := len(c.rest)
	c.rest = nil
	return n, i
}

// whole reads the integer part of a number.
func (c *cursor) whole() (n uint64, digits int, neg bool) {
	neg = c.skip(`-`)
	zero := len(c.rest) > 0 && c.rest[0] == '0'
	n, digits = c.digits(0)
	if digits == 0 || zero && digits > 1 {
		c.ok = false
	}
	return n, digits, neg
}

// int reads an integer of up to 18 digits. Larger ones, which may overflow, and forms
// such as 1e3 are left to encoding/json.
func (c *cursor) int() int64 {
	n, digits, neg := c.whole()
	if digits > 18 {
		c.ok = false
	}
	if neg {
		return -int64(n)
	}
	return int64(n)
}

// value reads a number, or a string for NaN or an infinity.
func (c *cursor) value() float64 {
	if len(c.rest) > 0 && c.rest[0] == '"' {
		f, ok := special(c.text())
		c.ok = c.ok && ok
		return f
	}
	text := c.rest
	n, digits, neg := c.whole()
	frac := 0
	if c.skip(`.`) {
		n, frac = c.digits(n)
		if frac == 0 {
			c.ok = false
		}
	}
	if c.exponent() || digits+frac > 15 {
		f, err := strconv.ParseFloat(string(text[:len(text)-len(c.rest)]), 64)
		c.ok = c.ok && err == nil
		return f
	}
	// Both are exact as float64, so that the division rounds but once, and
	// correctly: Clinger, How to read floating point numbers accurately, 1990.
	f := float64(n) / pow10[frac]
	if neg {
		f = -f
	}
	return f
}

// exponent skips the exponent of a number, and reports whether there is one.
func (c *cursor) exponent() bool {
	if !c.skip(`e`) && !c.skip(`E`) {
		return false
	}
	if !c.skip(`-`) {
		c.skip(`+`)
	}
	if _, n := c.digits(0); n == 0 {
		c.ok = false
	}
	return true
}

var pow10 = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}
