// Package latencies reads the latencies of a record as intervals of a histogram log, and says
// what distributions, percentiles and tags of such logs mean.
package latencies
