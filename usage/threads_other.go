//go:build !linux

package usage

import "runtime"

// threads reads no clocks on this system.
type threads struct{}

func openThreads() *threads { return &threads{} }

func (*threads) begin() {}
func (*threads) end()   {}
func (*threads) close() {}

func (*threads) report(u *Usage) {
	u.markUnavailable("CPU times of threads are read on Linux only, and this is "+runtime.GOOS, FigureThreads, FigureThreadSplit, FigureWaited)
}
