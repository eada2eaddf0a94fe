// Package pprofio reads profiles and other data from files and servers within bounds. The input may be
// damaged, endless or malicious.
//
//	p, err := pprofio.Profile(resp.Body, 64<<20) // limits compressed size, uncompressed size and memory
//	r := pprofio.Limit(resp.Body, 64<<20, "the text")
package pprofio
