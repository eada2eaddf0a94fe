// Package latency shows latency distributions: as a table, as csv and json, and as
// pictures of latency by percentile and over time.
package latency
