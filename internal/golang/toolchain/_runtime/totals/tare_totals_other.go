//go:build !linux || !(amd64 || arm64)

package runtime

// tareTotalsReadThreads says that threads cannot be read here.
func tareTotalsReadThreads() { tareTotals.words[tareTotalsErrno] = tareTotalsNoThreads }
