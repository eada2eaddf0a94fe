package record

import (
	"encoding/binary"
	"math"
	"reflect"
	"strings"
	"time"
)

// A source turns the bytes of a fuzzer into whatever a field needs. It never
// ends: there are zeros after the last byte.
type source struct{ rest []byte }

func (s *source) byte() byte {
	if len(s.rest) == 0 {
		return 0
	}
	b := s.rest[0]
	s.rest = s.rest[1:]
	return b
}

func (s *source) uint64() uint64 {
	var b [8]byte
	n := int(s.byte() % 9) // short ones are frequent
	for i := range n {
		b[i] = s.byte()
	}
	return binary.LittleEndian.Uint64(b[:])
}

// text returns up to 15 bytes, those that are not UTF-8 replaced as writing
// does.
func (s *source) text() string {
	n := min(int(s.byte()%16), len(s.rest))
	t := s.rest[:n]
	s.rest = s.rest[n:]
	return strings.ToValidUTF8(string(t), "\ufffd")
}

// float returns any finite number.
func (s *source) float() float64 {
	f := math.Float64frombits(s.uint64())
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return float64(int8(s.byte())) / 4
	}
	return f
}

// fill puts content into v, whatever its type. Empty slices and maps are nil,
// as they are after reading.
func fill(v reflect.Value, s *source) {
	switch p := v.Addr().Interface().(type) {
	case *time.Time:
		zone := time.FixedZone("", int(int8(s.byte()))%24*3600)
		*p = time.Unix(int64(s.uint64()%(1<<37)), int64(s.uint64()%1e9)).In(zone)
		return
	case *Value:
		*p = Value{s.text(), math.Float64frombits(s.uint64() << (s.byte() % 64))}
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.SetZero()
		if s.byte()&1 == 1 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem(), s)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), s)
		}
	case reflect.Slice:
		n := int(s.byte() % 4)
		v.SetZero()
		for i := range n {
			v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
			fill(v.Index(i), s)
		}
	case reflect.Map:
		n := int(s.byte() % 4)
		v.SetZero()
		for range n {
			if v.IsNil() {
				v.Set(reflect.MakeMap(v.Type()))
			}
			elem := reflect.New(v.Type().Elem()).Elem()
			fill(elem, s)
			v.SetMapIndex(reflect.ValueOf(s.text()), elem)
		}
	case reflect.String:
		v.SetString(s.text())
	case reflect.Bool:
		v.SetBool(s.byte()&1 == 1)
	case reflect.Float64:
		v.SetFloat(s.float())
	case reflect.Uint8, reflect.Uint64:
		v.SetUint(s.uint64() & (1<<v.Type().Bits() - 1))
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(s.uint64()))
	default:
		panic("record: fill knows no " + v.Type().String())
	}
}
