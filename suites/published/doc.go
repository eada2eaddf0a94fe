// Package published is what the suites share that turn records into published
// results: figures as text, records without what they say of the machine's
// directories, and charts as files.
//
//	d := published.Digits(3)
//	d.Full(interval, 1e6)                      // "1.23 (1.10 … 1.31)"
//	published.WriteCharts("results/", charts)  // results/NAME.svg
package published
