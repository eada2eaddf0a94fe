// Package foreign takes in what somebody else has written: answers of servers, profiles in
// files. It may be damaged, endless, or made to do harm.
//
//	p, err := foreign.Profile(resp.Body, 64<<20) // packed and unpacked, and what it takes in memory
//	r := foreign.Limit(resp.Body, 64<<20, "the text")
package pprofio
