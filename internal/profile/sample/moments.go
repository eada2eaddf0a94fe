package sample

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/tarebench/tare/record"
)

// moments computes standard errors by function from the variation between samples. A sample has a weight w, the time
// that it stands for, and finds x goroutines in the function, of X in all. The time of the function is Σwx, and its
// error follows from the variation of x.
//
// Most goroutines do not change between two samples, so only functions that change are updated: some sums are the
// same for all functions, and each function keeps their values at the last change of its x.
type moments struct {
	names   func(key) []string // the functions of a stack, innermost first
	keys    map[key]*placeDelta
	changed []*placeDelta
	at      map[string]int // index in of
	of      []functionMoments

	found         float64 // X in the last sample
	weights       float64 // Σw
	time          float64 // ΣwX
	ww, wwX, wwXX float64 // Σw², Σw²X, Σw²X²
}

// placeDelta is the number of goroutines that came to a place since the last sample, minus those that left.
type placeDelta struct {
	leaf  int   // index of its innermost function
	all   []int // of all its functions, each once
	delta int64
}

// functionMoments are the moments of a function by itself, and with the functions it called.
type functionMoments struct{ self, total moment }

// moment is a number x of each sample, with its sums over samples until its last change.
type moment struct {
	x             float64
	ww, wwX       float64 // Σw² and Σw²X of all samples at that time
	wx            float64 // Σwx
	w             float64 // Σw of all samples at that time
	wwx, wwxx, xX float64 // Σw²x, Σw²x², Σw²xX
}

func newMoments(names func(key) []string) *moments {
	return &moments{names: names, keys: map[key]*placeDelta{}, at: map[string]int{}}
}

// place returns where goroutines of a key are counted.
func (m *moments) place(k key) *placeDelta {
	if m == nil {
		return nil
	}
	p := m.keys[k]
	if p == nil {
		p = m.functions(m.names(k))
		m.keys[k] = p
	}
	return p
}

// functions returns the indices of the functions of a stack.
func (m *moments) functions(names []string) *placeDelta {
	p := &placeDelta{}
	for i, name := range names {
		n, ok := m.at[name]
		if !ok {
			n = len(m.of)
			m.at[name], m.of = n, append(m.of, functionMoments{})
		}
		if i == 0 {
			p.leaf = n
		}
		p.all = append(p.all, n)
	}
	slices.Sort(p.all)
	p.all = slices.Compact(p.all)
	return p
}

// move adds n goroutines to a place; a negative n removes them.
func (m *moments) move(p *placeDelta, n int64) {
	if p == nil || n == 0 {
		return
	}
	if p.delta == 0 {
		m.changed = append(m.changed, p) // a place may be listed twice but is processed once
	}
	p.delta += n
}

// endSample ends a sample: it applies the moves since the one before, whose weight is now known.
func (m *moments) endSample() {
	if m == nil {
		return
	}
	for _, p := range m.changed {
		x := float64(p.delta)
		if p.delta = 0; x == 0 {
			continue
		}
		m.found += x
		m.settle(&m.of[p.leaf].self).x += x
		for _, i := range p.all {
			m.settle(&m.of[i].total).x += x
		}
	}
	m.changed = m.changed[:0]
}

// setWeight sets the weight of the last sample, in ns.
func (m *moments) setWeight(w float64) {
	if m == nil {
		return
	}
	m.weights += w
	m.time += w * m.found
	m.ww += w * w
	m.wwX += w * w * m.found
	m.wwXX += w * w * m.found * m.found
}

// settle adds the samples since the last change of x.
func (m *moments) settle(f *moment) *moment {
	if f.x != 0 {
		ww, wwX := m.ww-f.ww, m.wwX-f.wwX
		f.wx += f.x * (m.weights - f.w)
		f.wwx += f.x * ww
		f.wwxx += f.x * f.x * ww
		f.xX += f.x * wwX
	}
	f.w, f.ww, f.wwX = m.weights, m.ww, m.wwX
	return f
}

// errors returns the standard errors of all functions, by name.
func (m *moments) errors() []record.SampledError {
	if m == nil || m.weights == 0 || m.time == 0 {
		return nil
	}
	var out []record.SampledError
	for _, name := range slices.Sorted(maps.Keys(m.at)) {
		f := &m.of[m.at[name]]
		if m.settle(&f.total); f.total.wx == 0 { // it was found only outside of the spans
			continue
		}
		m.settle(&f.self)
		e := record.SampledError{Name: name}
		e.Self, e.SelfShare = m.error(&f.self)
		e.Total, e.TotalShare = m.error(&f.total)
		out = append(out, e)
	}
	return out
}

// error returns the standard error of Σwx, in ns, and that of its share of ΣwX.
func (m *moments) error(f *moment) (time, share float64) {
	mean, r := f.wx/m.weights, f.wx/m.time
	time = root(f.wwxx-2*mean*f.wwx+mean*mean*m.ww, f.wwxx)
	share = root(f.wwxx-2*r*f.xX+r*r*m.wwXX, f.wwxx) / m.time
	return fourDigits(time), fourDigits(share)
}

// root returns the square root of a difference of numbers of the size of. It returns 0 for a difference that may be a
// rounding error.
func root(difference, of float64) float64 {
	const rounding = 1e-11
	if !(difference > rounding*of) {
		return 0
	}
	return math.Sqrt(difference)
}

// fourDigits rounds an error to four digits, to save room in the record.
func fourDigits(x float64) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	if err != nil {
		return x
	}
	return y
}
