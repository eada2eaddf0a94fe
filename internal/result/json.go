package result

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
)

// MarshalJSON implements json.Marshaler.
func (m Metrics) MarshalJSON() ([]byte, error) {
	var o Object
	for i := range m {
		o = append(o, m[i].Unit, m[i].Interval)
	}
	return o.MarshalJSON()
}

// MarshalJSON implements json.Marshaler.
func (p Params) MarshalJSON() ([]byte, error) {
	var o Object
	for i := range p {
		o = append(o, p[i].Key, p[i].Value)
	}
	return o.MarshalJSON()
}

// An Object is a JSON object, its keys and values in turn. The keys keep their order; a map would sort them.
type Object []any

// Set returns the object without values that are zero or an empty list.
func (o Object) Set() Object {
	var out Object
	for i := 1; i < len(o); i += 2 {
		v := reflect.ValueOf(o[i])
		if empty := v.Kind() == reflect.Slice && v.Len() == 0; !empty && !v.IsZero() {
			out = append(out, o[i-1], o[i])
		}
	}
	return out
}

// MarshalJSON implements json.Marshaler.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i := 1; i < len(o); i += 2 {
		if i > 1 {
			b.WriteByte(',')
		}
		k, err := json.Marshal(o[i-1])
		if err != nil {
			return nil, err
		}
		val, err := json.Marshal(o[i])
		if err != nil {
			return nil, err
		}
		b.Write(k)
		b.WriteByte(':')
		b.Write(val)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// MarshalJSON writes the codes of the warnings as "warnings", and the warnings as "notes", as of a [Benchmark].
func (c Comparison) MarshalJSON() ([]byte, error) {
	type figures Comparison
	return json.Marshal(struct {
		figures
		Codes []string  `json:"warnings,omitempty"`
		Notes []Warning `json:"notes,omitempty"`
	}{figures(c), Codes(c.Warnings), c.Warnings})
}

// Codes returns the codes of warnings, each once.
func Codes(ws []Warning) []string {
	var out []string
	for _, w := range ws {
		if !slices.Contains(out, w.Code) {
			out = append(out, w.Code)
		}
	}
	return out
}

// MarshalJSON writes the keys in the order of the contract, the codes of the
// warnings as "warnings", and no figures for a benchmark that has none.
func (r Benchmark) MarshalJSON() ([]byte, error) {
	codes := make([]string, len(r.Warnings))
	for i, w := range r.Warnings {
		codes[i] = w.Code
	}
	var iv *Interval
	if r.Forks > 0 {
		iv = &r.Interval
	}
	return json.Marshal(struct {
		Pkg         string   `json:"pkg"`
		Name        string   `json:"name"`
		Params      Params   `json:"params,omitempty"`
		Procs       int      `json:"procs,omitempty"`
		Side        string   `json:"side,omitempty"`
		Role        string   `json:"role,omitempty"`
		Mode        string   `json:"mode,omitempty"`
		N           int64    `json:"n,omitempty"`
		Unit        string   `json:"unit,omitempty"`
		Forks       int      `json:"forks"`
		ForksFailed int      `json:"forks_failed,omitempty"`
		Rounds      int      `json:"rounds,omitempty"`
		Starved     int      `json:"starved,omitempty"`
		Lost        *Number  `json:"lost,omitempty"`
		*Interval            // absent if nil
		Confidence  float64  `json:"confidence,omitempty"`
		Another     *Another `json:"another_run,omitempty"`

		SpreadWithin  float64       `json:"spread_within,omitempty"`
		SpreadBetween float64       `json:"spread_between,omitempty"`
		Values        []Number      `json:"values,omitempty"`
		Components    []Component   `json:"components,omitempty"`
		Advice        string        `json:"advice,omitempty"`
		Warnings      []string      `json:"warnings,omitempty"`
		Notes         []Warning     `json:"notes,omitempty"` // the warnings with text and advice
		Metrics       Metrics       `json:"metrics,omitempty"`
		Goroutines    *Goroutines   `json:"goroutines,omitempty"`
		Waits         *Waits        `json:"waits,omitempty"`
		Heap          *Heap         `json:"heap,omitempty"`
		Allocs        *Allocs       `json:"allocs,omitempty"`
		Instructions  *Instructions `json:"instructions,omitempty"`
		Failed        string        `json:"failed,omitempty"`
		Tail          string        `json:"tail,omitempty"`
	}{
		r.Pkg, r.Name, r.Params, r.Procs, r.Side, r.Role, r.Mode, r.N, r.Unit, r.Forks, r.ForksFailed, r.Rounds, r.Starved, r.Lost,
		iv, r.Confidence, r.Another, r.SpreadWithin, r.SpreadBetween, r.Values, r.Components, r.Advice, codes, r.Warnings, r.Metrics, r.Goroutines, r.Waits, r.Heap, r.Allocs, r.Instructions, r.Failed, r.Tail,
	})
}
