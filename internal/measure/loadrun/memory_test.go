package loadrun

import (
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/env"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/ycsb"
)

func TestCheckMemory(t *testing.T) {
	const gib = 1 << 30
	for _, c := range []struct {
		name         string
		binding      string
		records      int64
		noLoad       bool
		distribution ycsb.Distribution
		machine      env.Machine
		want         string // in the error; "" for none
	}{
		{"enough", "mem", 1e6, false, ycsb.Constant, env.Machine{Memory: 2 * gib}, ""},
		{"too many", "mem", 1e12, false, ycsb.Constant, env.Machine{Memory: 23 * gib}, "--records 1000000000000: the values alone take 909 TiB, and there are 23.0 GiB"},
		{"too many for the cgroup", "mem", 1e6, false, ycsb.Constant, env.Machine{Memory: 23 * gib, MemoryLimit: gib / 2}, "there are 512 MiB"},
		{"short ones", "mem", 1e7, false, ycsb.Uniform, env.Machine{Memory: 2 * gib}, ""},
		{"on disk", "bolt", 1e12, false, ycsb.Constant, env.Machine{Memory: gib}, ""},
		{"not inserted", "mem", 1e12, true, ycsb.Constant, env.Machine{Memory: gib}, ""},
		{"memory unknown", "mem", 1e12, false, ycsb.Constant, env.Machine{}, ""},
	} {
		p := &Plan{Binding: &kv.Binding{Name: c.binding}, Job: job.Load{NoLoad: c.noLoad}, Workload: ycsb.Default()}
		p.Workload.RecordCount, p.Workload.FieldLengthDistribution = c.records, c.distribution
		err := p.checkMemory(c.machine)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
