// Package foreign takes in what somebody else has written: answers of servers, profiles in
// files, names. It may be damaged, endless, or made to do harm.
//
//	p, err := foreign.Profile(resp.Body, 64<<20) // packed and unpacked, and what it takes in memory
//	r := foreign.Limit(resp.Body, 64<<20, "the text")
//	fmt.Fprintln(os.Stderr, foreign.Visible(name)) // nothing that a terminal would obey
package foreign
