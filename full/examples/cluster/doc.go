// Package cluster has files to run a load by agents in containers, and a simulation of many agents. docs/cluster.md tells of them.
package cluster
