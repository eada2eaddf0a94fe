package ycsb

import (
	"errors"
	"strings"
	"testing"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// TestIntegrity damages what is stored, in every way that can be seen.
func TestIntegrity(t *testing.T) {
	tests := []struct {
		workload string
		damage   func(record [][]byte) [][]byte
		pairs    []string
		want     string
	}{
		{"c", nil, nil, ""},
		{"c", func(r [][]byte) [][]byte { r[3][99] ^= 1; return r }, nil, "field3 of user"},
		{"c", func(r [][]byte) [][]byte { r[0] = r[0][:99]; return r }, nil, "field0 of user"},
		{"c", func(r [][]byte) [][]byte { r[0], r[1] = r[1], r[0]; return r }, nil, "field0 of user"},
		{"c", func(r [][]byte) [][]byte { r[9] = append(r[9], ' '); return r }, nil, "field9 of user"},
		{"c", func(r [][]byte) [][]byte { r[0] = nil; return r }, []string{"readallfields", "false", "fieldcount", "1"}, "field0 of user"},
		{"e", func(r [][]byte) [][]byte { r[5][0] = 'x'; return r }, []string{"scanproportion", "1", "insertproportion", "0"}, "field5 of user"},
		{"f", func(r [][]byte) [][]byte { r[5] = nil; return r }, []string{"readproportion", "0", "readmodifywriteproportion", "1"}, "field5 of user"},
	}
	for i, tt := range tests {
		pairs := append([]string{"dataintegrity", "true", "recordcount", "20"}, tt.pairs...)
		c := workload(t, tt.workload, pairs...)
		s := loaded(t, c)
		if tt.damage != nil {
			for k, r := range s.records {
				s.records[k] = tt.damage(r)
			}
		}
		target, err := New(c, s)
		if err != nil {
			t.Fatal(err)
		}
		err = send(open(t, target, 0), 0)
		if (err == nil) != (tt.want == "") || (err != nil && (!errors.Is(err, load.ErrIntegrity) || !strings.HasPrefix(err.Error(), tt.want))) {
			t.Errorf("case %d: %v, want %q", i, err, tt.want)
		}
	}
}

// TestVerify: answers that no honest store gives.
func TestVerify(t *testing.T) {
	c := workload(t, "c", "dataintegrity", "true", "fieldcount", "3", "fieldlength", "50")
	m, err := newMaker(&c)
	if err != nil {
		t.Fatal(err)
	}
	key := []byte("user1")
	tests := []struct {
		fields, got []int
		want        string
	}{
		{nil, []int{0, 1, 2}, ""},
		{nil, []int{2, 0, 1}, ""},
		{[]int{1}, []int{1}, ""},
		{nil, []int{0, 1}, "user1 has 2 fields of 3 that were read"},
		{nil, []int{0, 1, 2, 0}, "user1 has 4 fields of 3 that were read"},
		{nil, nil, "user1 has 0 fields of 3 that were read"},
		{[]int{1}, nil, "user1 has 0 fields of 1 that were read"},
		{[]int{1}, []int{2}, "user1 has no field1"},
		{nil, []int{0, 1, 1}, "user1 has no field2"},
	}
	for _, tt := range tests {
		var r kv.Record
		for _, f := range tt.got {
			r.Append(f, m.value(key, f))
		}
		err := m.verify(key, tt.fields, &r)
		if (err == nil) != (tt.want == "") || (err != nil && (!errors.Is(err, load.ErrIntegrity) || !strings.HasPrefix(err.Error(), tt.want))) {
			t.Errorf("asked for %v, got %v: %v, want %q", tt.fields, tt.got, err, tt.want)
		}
	}
	for _, alien := range []int{-1, 3} {
		var r kv.Record
		r.Append(0, m.value(key, 0))
		r.Append(1, m.value(key, 1))
		r.Append(alien, nil)
		if err := m.verify(key, nil, &r); !errors.Is(err, load.ErrIntegrity) {
			t.Errorf("field %d: %v", alien, err)
		}
	}
}
