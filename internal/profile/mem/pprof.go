package mem

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"math"
)

// pprof returns the profile for "go tool pprof" in the format of profile.proto (github.com/google/pprof,
// proto/profile.proto). It is encoded
// by hand because it has few fields. The type of allocated objects is a label of the samples.
func (s *heapSamples) pprof() ([]byte, error) {
	p := profile{strings: map[string]uint64{}, functions: map[function]uint64{}, locations: map[frame]uint64{}}
	p.text("") // the first string must be empty
	objects, space := p.valueType("inuse_objects", "count"), p.valueType("inuse_space", "bytes")
	p.message(profileSampleType, objects)
	p.message(profileSampleType, space)
	for i := range s.Stacks {
		if x := &s.Stacks[i]; !x.isOwn() {
			objects, bytes, _ := s.estimate(x)
			p.sample(x.Frames, objects, bytes, x.typ)
		}
	}
	if s.OthersBytes > 0 {
		p.sample([]frame{{Func: "(other stacks)"}}, s.OthersObjects, s.OthersBytes, "")
	}
	p.message(profilePeriodType, p.valueType("space", "bytes"))
	p.number(profilePeriod, uint64(s.Rate))
	p.number(profileDefault, p.text("inuse_space"))
	for _, t := range p.table {
		p.bytes(profileString, []byte(t))
	}
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write(p.protobuf); err != nil {
		return nil, err
	}
	err := z.Close()
	return out.Bytes(), err
}

// Field numbers of profile.proto.
const (
	profileSampleType = 1
	profileSample     = 2
	profileLocation   = 4
	profileFunction   = 5
	profileString     = 6
	profilePeriodType = 11
	profilePeriod     = 12
	profileDefault    = 14
)

// profile is a message Profile being written.
type profile struct {
	protobuf
	table     []string
	strings   map[string]uint64
	functions map[function]uint64
	locations map[frame]uint64
}

type function struct{ name, file string }

// text returns the index of a string.
func (p *profile) text(s string) uint64 {
	i, ok := p.strings[s]
	if !ok {
		i = uint64(len(p.table))
		p.strings[s] = i
		p.table = append(p.table, s)
	}
	return i
}

func (p *profile) valueType(what, unit string) protobuf {
	var m protobuf
	m.number(1, p.text(what))
	m.number(2, p.text(unit))
	return m
}

func (p *profile) sample(frames []frame, objects, bytes float64, typ string) {
	var locations, values, m protobuf
	for _, f := range frames {
		locations = binary.AppendUvarint(locations, p.location(f))
	}
	values = binary.AppendUvarint(values, uint64(math.Round(objects)))
	values = binary.AppendUvarint(values, uint64(math.Round(bytes)))
	m.bytes(1, locations)
	m.bytes(2, values)
	if typ != "" {
		var label protobuf
		label.number(1, p.text("type"))
		label.number(2, p.text(typ))
		m.bytes(3, label)
	}
	p.message(profileSample, m)
}

// location returns the ID of a frame.
func (p *profile) location(f frame) uint64 {
	id, ok := p.locations[f]
	if ok {
		return id
	}
	id = uint64(len(p.locations) + 1)
	p.locations[f] = id
	var line, m protobuf
	line.number(1, p.function(f))
	line.number(2, uint64(max(f.Line, 0)))
	m.number(1, id)
	m.bytes(4, line)
	p.message(profileLocation, m)
	return id
}

// function returns the ID of a frame's function.
func (p *profile) function(f frame) uint64 {
	k := function{f.Func, f.File}
	id, ok := p.functions[k]
	if ok {
		return id
	}
	id = uint64(len(p.functions) + 1)
	p.functions[k] = id
	var m protobuf
	m.number(1, id)
	m.number(2, p.text(f.Func))
	m.number(3, p.text(f.Func))
	m.number(4, p.text(f.File))
	p.message(profileFunction, m)
	return id
}

// protobuf is a protocol buffer message being written.
type protobuf []byte

// number appends a numeric field.
func (m *protobuf) number(field int, x uint64) {
	*m = binary.AppendUvarint(*m, uint64(field)<<3)
	*m = binary.AppendUvarint(*m, x)
}

// bytes appends a field with a string, a message or packed numbers.
func (m *protobuf) bytes(field int, b []byte) {
	*m = binary.AppendUvarint(*m, uint64(field)<<3|2)
	*m = binary.AppendUvarint(*m, uint64(len(b)))
	*m = append(*m, b...)
}

func (m *protobuf) message(field int, x protobuf) { m.bytes(field, x) }
