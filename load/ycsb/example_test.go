package ycsb_test

import (
	"fmt"

	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/ycsb"
)

func ExampleWorkload() {
	for _, name := range []string{"E", "g"} {
		props, ok := ycsb.Workload(name)
		if !ok {
			fmt.Println(&ycsb.UnknownWorkloadError{Name: name})
			continue
		}
		fmt.Println(props["scanproportion"], props["insertproportion"], props["requestdistribution"])
	}
	// Output:
	// 0.95 0.05 zipfian
	// unknown workload "g": there are a, b, c, d, e, f; others are given by their properties
}

func ExampleParseConfig() {
	props, _ := ycsb.Workload("b")
	for _, p := range []string{"recordcount=5000", "requestdistribution=zipfian-exact", "zipfian.theta=1.2"} {
		if err := props.Set(p); err != nil {
			fmt.Println(err)
		}
	}
	c, err := ycsb.ParseConfig(props)
	fmt.Println(c.RecordCount, c.ReadProportion, c.RequestDistribution, c.ZipfianTheta, err)
	// Output: 5000 0.95 zipfian-exact 1.2 <nil>
}

// Everything that is wrong is said at once.
func ExampleParseConfig_errors() {
	_, err := ycsb.ParseConfig(kv.Properties{
		"readproportion":      "1",
		"requestdistribution": "zipfain",
		"feildcount":          "5",
		"recordcount":         "0",
	})
	fmt.Println(err)
	// Output:
	// unknown property feildcount: did you mean fieldcount?
	// property requestdistribution=zipfain: want uniform, zipfian, zipfian-exact, latest, hotspot, exponential, sequential; did you mean zipfian?
	// recordcount 0: must be from 1 to 1152921504606846976
	// readproportion 1 + updateproportion 0.05: the sum is 1.05 and must be 1 (those not given are readproportion 0.95, updateproportion 0.05)
}
