package ycsb

import (
	"maps"
	"strings"

	"github.com/tarebench/tare/load/kv"
)

// Names returns the names of the built-in workloads.
func Names() []string { return []string{"a", "b", "c", "d", "e", "f"} }

// Workload returns the properties of a workload that is built in, by its name
// in upper or lower case: the operations and distributions of YCSB's own files,
// whose authors describe them in Cooper, Silberstein, Tam, Ramakrishnan and Sears,
// "Benchmarking Cloud Serving Systems with YCSB" (SoCC 2010), table 2. The map is
// the caller's to change.
//
//	a  update heavy       50 % read, 50 % update             zipfian
//	b  read mostly        95 % read,  5 % update             zipfian
//	c  read only         100 % read                          zipfian
//	d  read latest        95 % read,  5 % insert             latest
//	e  short ranges       95 % scan of 1 to 100, 5 % insert  zipfian
//	f  read-modify-write  50 % read, 50 % read-modify-write  zipfian
//
// Each has 1000 records and 1000 operations, to be overridden.
func Workload(name string) (kv.Properties, bool) {
	own := map[string]kv.Properties{
		"a": {"readproportion": "0.5", "updateproportion": "0.5"},
		"b": {"readproportion": "0.95", "updateproportion": "0.05"},
		"c": {"readproportion": "1", "updateproportion": "0"},
		"d": {"readproportion": "0.95", "updateproportion": "0", "insertproportion": "0.05", "requestdistribution": "latest"},
		"e": {"readproportion": "0", "updateproportion": "0", "scanproportion": "0.95", "insertproportion": "0.05", "maxscanlength": "100"},
		"f": {"readproportion": "0.5", "updateproportion": "0", "readmodifywriteproportion": "0.5"},
	}[strings.ToLower(name)]
	if own == nil {
		return nil, false
	}
	p := kv.Properties{
		"workload":            "site.ycsb.workloads.CoreWorkload",
		"recordcount":         "1000",
		"operationcount":      "1000",
		"readallfields":       "true",
		"requestdistribution": "zipfian",
	}
	maps.Copy(p, own)
	return p, true
}

// UnknownWorkloadError means that [Workload] does not know a name.
type UnknownWorkloadError struct{ Name string }

func (e *UnknownWorkloadError) Error() string {
	return "unknown workload \"" + e.Name + "\": there are " + strings.Join(Names(), ", ") +
		"; others are given by their properties"
}
