package loadrun

import (
	"fmt"

	"github.com/tarebench/tare/internal/base/env"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/load/ycsb"
)

// inMemory is the binding that keeps its records in tare's own memory.
const inMemory = "mem"

// checkMemory refuses records that do not fit into the machine's memory: inserting them
// would use it up, for all that runs there.
func (p *Plan) checkMemory(m env.Machine) error {
	has := m.Memory
	if m.MemoryLimit > 0 && (has == 0 || m.MemoryLimit < has) {
		has = m.MemoryLimit
	}
	if p.Binding.Name != inMemory || p.Job.NoLoad || has == 0 {
		return nil
	}
	if need := leastBytes(&p.Workload); need > float64(has) {
		return exit.Usage(fmt.Errorf("--records %d: the values alone take %s, and there are %s of memory here", p.Workload.RecordCount, units.Value("B", need, 3), units.Bytes(has)),
			"fewer records, or shorter ones: -p fieldcount=1 -p fieldlength=100")
	}
	return nil
}

// leastBytes returns the least number of bytes that the values of all records take.
func leastBytes(c *ycsb.Config) float64 {
	length := c.MinFieldLength
	if c.FieldLengthDistribution == ycsb.Constant {
		length = c.FieldLength
	}
	return float64(c.RecordCount) * float64(c.FieldCount) * float64(length)
}
