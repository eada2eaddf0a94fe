package fewlines

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"github.com/tarebench/tare/record"
)

// draw is a file that is being drawn.
type draw struct {
	*Source
	rng  *rand.Rand
	from real // the file of which most parts are taken
	ids       // of lines that belong together

	absent, invented, extreme float64 // shares of keys: left out, drawn although the real line has none, with values at their limits
}

// ids are what lines refer to, in a file whose lines belong together.
type ids struct {
	coherent bool
	sided    bool     // there are two sides
	about    []string // attachments that the file may have
	first    int      // which of them comes first
	pending  bool     // one was drawn for the next fork
	self     bool     // it is a self-test

	cases, bins, fork, windows, attachments int // so many were drawn
}

// File draws a file.
func (s *Source) File(rng *rand.Rand) []byte {
	d := &draw{Source: s, rng: rng}
	if len(s.files) > 0 {
		d.from = pick(rng, s.files)
	}
	d.coherent, d.sided, d.self = d.chance(0.75), d.chance(0.5), d.chance(0.04)
	if d.about = []string{pick(rng, attachments())}; d.chance(0.5) {
		d.about = pick(rng, together)
	}
	if d.chance(0.2) {
		d.about = attachments()
	}
	d.first = rng.IntN(len(d.about))
	out := d.line("run")
	for out == nil {
		out = d.line("run")
	}
	for _, kind := range d.order() {
		if d.chance(0.1) && len(s.files) > 0 {
			d.from = pick(rng, s.files)
		}
		l := d.line(kind)
		out = append(out, l...)
		if d.chance(0.03) {
			out = append(out, l...)
		}
	}
	return out
}

// order draws the kinds of the lines behind the first.
func (d *draw) order() (out []string) {
	if d.coherent || d.chance(0.3) {
		for kind := range strings.FieldsSeq(pick(d.rng, usualLines)) {
			if !d.chance(0.05) {
				out = append(out, kind)
			}
			if d.chance(0.08) {
				out = append(out, pick(d.rng, d.kinds))
			}
		}
	} else {
		for range d.rng.IntN(8) {
			out = append(out, pick(d.rng, d.kinds))
		}
	}
	if d.chance(0.1) {
		d.rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	}
	return out
}

// line draws a line that the reader accepts, nil if it drew none.
func (d *draw) line(kind string) []byte {
	empty, err := new(record.LineDecoder).Decode([]byte(`{"k":"` + kind + `"}`))
	if err != nil {
		return nil
	}
	t := reflect.TypeOf(empty).Elem()
	for range 5 {
		before := d.ids
		d.moods()
		text := d.value(t, d.real(kind), kind)
		text = strings.TrimSuffix(`{"k":"`+kind+`",`+text[1:], ",}")
		if !strings.HasSuffix(text, "}") {
			text += "}"
		}
		if accepted([]byte(text)) {
			return []byte(text + "\n")
		}
		d.ids = before
	}
	return nil
}

// accepted reports whether the reader of records accepts a line.
func accepted(line []byte) bool {
	text := line
	isRun := bytes.HasPrefix(line, []byte(`{"k":"run"`))
	if !isRun {
		text = slices.Concat([]byte(`{"k":"run","v":1}`+"\n"), line)
	}
	r := record.NewReader(bytes.NewReader(append(slices.Clone(text), '\n')), "")
	_, err := r.Next()
	if !isRun && err == nil {
		_, err = r.Next()
	}
	return err == nil
}

// real returns a real line of a kind, nil if there is none.
func (d *draw) real(kind string) *node {
	if all := d.from[kind]; len(all) > 0 {
		return pick(d.rng, all)
	}
	for range 10 {
		if len(d.files) == 0 {
			return nil
		}
		if all := pick(d.rng, d.files)[kind]; len(all) > 0 {
			return pick(d.rng, all)
		}
	}
	return nil
}

// moods draws how a line differs from real ones.
func (d *draw) moods() {
	d.absent = pick(d.rng, []float64{0, 0.03, 0.1, 0.3, 0.7, 0.95})
	d.invented = pick(d.rng, []float64{0, 0.02, 0.1, 0.5, 0.9})
	d.extreme = pick(d.rng, []float64{0, 0, 0.02, 0.1, 0.5})
}

func (d *draw) chance(p float64) bool { return d.rng.Float64() < p }

// pick draws an element; it returns the zero value of none.
func pick[T any](rng *rand.Rand, from []T) (none T) {
	if len(from) == 0 {
		return none
	}
	return from[rng.IntN(len(from))]
}
