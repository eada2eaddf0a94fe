package record

import (
	"reflect"
	"testing"
)

func TestUnits(t *testing.T) {
	tests := []struct {
		unit              string
		better            string
		time, rate, bytes bool
	}{
		{unit: "ns/op", better: Lower, time: true},
		{unit: "sec/op", better: Lower, time: true},
		{unit: "µs", better: Lower, time: true},
		{unit: "p99-ns", better: Lower, time: true},
		{unit: "producer-ns/op", better: Lower, time: true},
		{unit: "two-words-ns/GC", better: Lower, time: true},
		{unit: "B/op", better: Lower, bytes: true},
		{unit: "heap-B", better: Lower, bytes: true},
		{unit: "MiB", better: Lower, bytes: true},
		{unit: "allocs/op", better: Lower},
		{unit: "cache-misses/op", better: Lower},
		{unit: "MB/s", better: Higher, rate: true},
		{unit: "B/s", better: Higher, rate: true},
		{unit: "op/s", better: Higher, rate: true},
		{unit: "ops/s", better: Higher, rate: true},
		{unit: "consumer-op/s", better: Higher, rate: true},
		{unit: "frames/sec", better: Higher, rate: true},
		{unit: "ns/s", better: Higher, rate: true},
		{unit: "/s", better: Higher, rate: true},
		{unit: "op"},
		{unit: "allocs"},
		{unit: "hits/op"},
		{unit: "hit%"},
		{unit: "-"},
		{unit: "/"},
		{unit: ""},
	}
	for _, test := range tests {
		want := Unit{Better: test.better, Assume: Nothing}
		if got := UnitOf(test.unit); got != want {
			t.Errorf("UnitOf(%q) = %+v, want %+v", test.unit, got, want)
		}
		if got := IsTime(test.unit); got != test.time {
			t.Errorf("IsTime(%q) = %v", test.unit, got)
		}
		if got := IsRate(test.unit); got != test.rate {
			t.Errorf("IsRate(%q) = %v", test.unit, got)
		}
		if got := IsBytes(test.unit); got != test.bytes {
			t.Errorf("IsBytes(%q) = %v", test.unit, got)
		}
	}
}

func TestParseName(t *testing.T) {
	tests := []struct {
		name string
		want []Param
	}{
		{"", nil},
		{"Encode", nil},
		{"Encode=1", nil},
		{"Encode/small/=1//", nil},
		{"Encode/size=1k/kind=a=b", []Param{{"size", "1k"}, {"kind", "a=b"}}},
		{"Encode/small/size=1k/x=", []Param{{"size", "1k"}, {"x", ""}}},
		{"Encode/size=1/size=2#01", []Param{{"size", "1"}, {"size", "2#01"}}},
	}
	for _, test := range tests {
		if got := ParseName(test.name); !reflect.DeepEqual(got, test.want) {
			t.Errorf("ParseName(%q) = %v, want %v", test.name, got, test.want)
		}
	}
}
