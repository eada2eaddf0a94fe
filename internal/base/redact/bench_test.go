package redact

import (
	"testing"

	"github.com/tarebench/tare/record"
)

// BenchmarkRedact: what hiding secrets costs for the texts that pass here most, while some secrets are known.
func BenchmarkRedact(b *testing.B) {
	AddPairs([]string{"GITHUB_TOKEN=bench0123456789abcdef0123456789abcdef", "DB_PASSWORD=bench-hunter2/7", "SERVER=redis://u:benchpassword@h"})
	lines := map[string]record.Line{
		"sample": &record.Sample{Fork: 1, V: record.Values{{Unit: "ns", Value: 1}, {Unit: "B/op", Value: 2}}},
		"fork":   &record.Fork{ID: 1, Case: 1, Bin: 1, Purpose: record.PurposeTiming, State: record.StateOK, Exit: "0"},
		"case":   &record.Case{ID: 1, Pkg: "example.com/mod/pkg", Name: "Sort/size=1024/kind=spsc_ring", Params: record.ParseName("Sort/size=1024/kind=spsc_ring")},
	}
	for name, l := range lines {
		b.Run("line="+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Line(l)
			}
		})
	}
	texts := map[string]string{
		"plain":   "warning: few samples beyond the 99th percentile in round 3 of 28, the next run will differ",
		"message": `Get "http://127.0.0.1:8080/x?a=1&b=2": dial tcp 127.0.0.1:8080: connect: connection refused (100% of 3 tries)`,
		"secret":  `Get "http://u:pw@127.0.0.1:8080/x?sig=1": bench-hunter2/7 and bench-hunter2%2F7`,
	}
	for name, text := range texts {
		b.Run("text="+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Text(text)
			}
		})
	}
	json := []byte(`{"k":"fork","id":17,"case":3,"bin":2,"round":4,"order":2,"purpose":"timing","start":"2026-01-01T00:00:00Z","wall":12345678,"exit":"0","state":"ok"}` + "\n")
	b.Run("json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			JSON(json)
		}
	})
}
