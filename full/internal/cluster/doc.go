// Package cluster has several processes, on several machines, generate the load of one run. A controller plans the run and
// hands each agent its operations of the one schedule; agents send them, and deliver what they counted in each interval. The
// controller adds that up, so that the record is that of a run of one machine.
package cluster
