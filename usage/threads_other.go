//go:build !linux

package usage

import "runtime"

// threads knows nothing here.
type threads struct{}

func openThreads() *threads { return &threads{} }

func (*threads) begin() {}
func (*threads) end()   {}
func (*threads) close() {}

func (*threads) tell(u *Usage) {
	u.lack("threads are told apart on Linux only, and this is "+runtime.GOOS, FigureThreads)
}
