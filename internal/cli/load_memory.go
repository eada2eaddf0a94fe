package cli

import (
	"fmt"

	"github.com/tarebench/tare/internal/env"
	"github.com/tarebench/tare/load/ycsb"
)

// inMemory is the binding that keeps its records in tare's own memory.
const inMemory = "mem"

// fits refuses records that are more than the machine has memory for: inserting
// them would take it all, for minutes, from everybody on it.
func (p *loadPlan) fits(m env.Machine) error {
	has := m.Memory
	if m.MemoryLimit > 0 && (has == 0 || m.MemoryLimit < has) {
		has = m.MemoryLimit
	}
	if p.binding.Name != inMemory || p.noLoad || has == 0 {
		return nil
	}
	if need := leastBytes(&p.workload); need > float64(has) {
		const gib = 1 << 30
		return usageError(fmt.Errorf("--records %d: the values alone take %.0f GiB, and there are %.1f GiB of memory here", p.workload.RecordCount, need/gib, float64(has)/gib),
			"fewer records, or shorter ones: -p fieldcount=1 -p fieldlength=100")
	}
	return nil
}

// leastBytes is the least that the values of all records take.
func leastBytes(c *ycsb.Config) float64 {
	length := c.MinFieldLength
	if c.FieldLengthDistribution == ycsb.Constant {
		length = c.FieldLength
	}
	return float64(c.RecordCount) * float64(c.FieldCount) * float64(length)
}
