package listing_test

import (
	"fmt"
	"os"

	"github.com/tarebench/tare/internal/show/subjects/listing"
	"github.com/tarebench/tare/record"
)

// A loop of two instructions, sampled by an event without skid.
func Example() {
	asm := &record.Asm{
		Binary: "m", Arch: "amd64", Source: record.AsmPerf, Window: record.AsmWhole,
		Events: []record.AsmEvent{{Name: "cycles", Precise: true, Asked: 997, Samples: 4000}},
		Funcs: []record.AsmFunc{{
			Name: "main.count", Area: record.AreaUser, Entry: 0x401000, Samples: []int64{4000},
			Code:   []byte{0x48, 0xff, 0xc8, 0x75, 0xfb, 0xc3}, // DECQ AX; JNE 0x401000; RET
			Counts: []record.AsmCount{{Addr: 0x401000, N: []int64{3000}}, {Addr: 0x401003, N: []int64{1000}}},
		}},
	}
	l, err := listing.New(asm, listing.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := l.Text(os.Stdout, listing.Options{Width: 80}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// m | amd64
	// cycles (precise) by perf_event, 997 Hz | 4000 samples, 0 lost | kernel 0.00 %
	// window: the whole run
	//
	// hottest regions
	//      share   +/-  samples
	//   100.00 %  0.00     4000  main.count
	//   100.00 %           4000  all samples
	//
	// hottest functions (nothing of note was inlined)
	//      share   +/-  samples
	//   100.00 %  0.00     4000  main.count
	//   100.00 %           4000  all samples
	//
	// by area
	//      share   +/-  samples
	//   100.00 %  0.00     4000  user
	//   100.00 %           4000  all samples
	//
	// +/-: one standard error of the share, in points
	//
	// region 1 | 100.00 % | main.count
	//
	// 75.00 % #  .> 0x401000  DECQ AX
	// 25.00 % :  '- 0x401003  JNE  0x401000
	//               0x401005  RET
}

func ExampleMerge() {
	fork := func(n int64) *record.Asm {
		return &record.Asm{
			Binary: "m", Arch: "amd64", Source: record.AsmPprof, Window: record.AsmWhole,
			Events: []record.AsmEvent{{Name: "cpu", Samples: n}},
			Funcs:  []record.AsmFunc{{Name: "main.f", Samples: []int64{n}, Counts: []record.AsmCount{{Addr: 0x401000, N: []int64{n}}}}},
		}
	}
	all, err := listing.Merge([]*record.Asm{fork(1200), fork(1300)})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(all.Events[0].Samples)
	// Output: 2500
}
