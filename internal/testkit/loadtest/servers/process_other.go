//go:build !unix

package servers

import "os"

// This system cannot suspend processes: Pause and Resume have no effect. Kill and Start work.
var (
	halt   os.Signal = os.Interrupt
	resume os.Signal = os.Interrupt
	quit   os.Signal = os.Kill
)

func (p *process) family() []int { return nil }

func halted([]int) bool { return true }

func signal([]int, os.Signal) {}
