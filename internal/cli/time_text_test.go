package cli

// What writeTimes makes of the records of timed.
const (
	usualTimes = `linux/amd64 · AMD EPYC, 12 cores · 10 forks × (0+1) × 1 ops, interleaved, seed 7f3a
sides: sort-seq = ./sort-seq 100, sort-par = ./sort-par 100

                      real             user       sys   peak RSS      cores busy
sort-par    864 ms ± 0.9 %   9.50 s ± 0.9 %   0         2.00 GiB   11.0
sort-seq   6.84 s  ± 0.1 %   6.84 s ± 0.1 %   1.00 ms   1.00 GiB    1.00 ± 0.0 %

           page faults   with I/O      waits   preempted
sort-par       100 000          0   8 ± 12 %          12
sort-seq       200 000          0   8 ± 12 %          12

medians, ± the farther end of the 95 % interval

sort-par is 7.93 × faster than sort-seq (7.89 … 7.96), for 1.39 × the CPU (1.38 … 1.39)

tare: starting a process costs 1.20 ms (included) · load 0.9
repeat: tare time --seed 7f3a --vs './sort-seq 100' -- ./sort-par 100
`

	fewTimes = `linux/amd64 | AMD EPYC, 12 cores | 3 forks x (0+1) x 1 ops, interleaved, seed 7f3a
sides: sort-seq = ./sort-seq 100, sort-par = ./sort-par 100

              real     user       sys   peak RSS   cores busy
sort-par    863 ms   9.49 s   0         2.00 GiB        11.0
sort-seq   6.84 s    6.84 s   1.00 ms   1.00 GiB         1.00

           page faults   with I/O   waits   preempted
sort-par       100 000          0       8          12
sort-seq       200 000          0       8          12

medians; intervals of 95 % need 6 runs

undecided: sort-par takes 0.13 x the time of sort-seq, for 1.39 x the CPU; ~1 more run would decide;
    not trusted (?): few-forks

tare: starting a process costs 1.20 ms (included) | load 0.9
warning: sort-par: 3 forks are too few for a 95 % interval -> use --forks 6 or more
warning: sort-seq: 3 forks are too few for a 95 % interval -> use --forks 6 or more
repeat: tare time --seed 7f3a --vs './sort-seq 100' -- ./sort-par 100
`

	verboseTimes = `linux/amd64 · AMD EPYC, 12 cores · 10 forks × (0+1) × 1 ops, interleaved, seed 7f3a
sides: sort-seq = ./sort-seq 100, sort-par = ./sort-par 100

                      real             user       sys   peak RSS      cores busy
sort-par    864 ms ± 0.9 %   9.50 s ± 0.9 %   0         2.00 GiB   11.0
sort-seq   6.84 s  ± 0.1 %   6.84 s ± 0.1 %   1.00 ms   1.00 GiB    1.00 ± 0.0 %

           page faults   with I/O      waits   preempted
sort-par       100 000          0   8 ± 12 %          12
sort-seq       200 000          0   8 ± 12 %          12

medians, ± the farther end of the 95 % interval

sort-par, 10 runs        median     95 % from            to           min           max
  real                  864 ms        860 ms        871 ms        858 ms        880 ms
  user                 9.50 s        9.46 s        9.58 s        9.44 s        9.68 s
  sys                     0             0             0             0             0
  peak RSS             2.00 GiB      2.00 GiB      2.00 GiB      2.00 GiB      2.00 GiB
  cores busy           11.0          11.0          11.0          11.0          11.0
  page faults       100 000       100 000       100 000       100 000       100 000
  with I/O                0             0             0             0             0
  waits                   8             7             9             7             9
  preempted              12            12            12            12            12
  user + sys           9.50 s        9.46 s        9.58 s        9.44 s        9.68 s

sort-seq, 10 runs        median     95 % from            to           min           max
  real                 6.84 s        6.84 s        6.85 s        6.83 s        6.90 s
  user                 6.84 s        6.84 s        6.85 s        6.83 s        6.90 s
  sys                  1.00 ms       1.00 ms       1.00 ms       1.00 ms       1.00 ms
  peak RSS             1.00 GiB      1.00 GiB      1.00 GiB      1.00 GiB      1.00 GiB
  cores busy           1.00          1.00          1.00          1.00          1.00
  page faults       200 000       200 000       200 000       200 000       200 000
  with I/O                0             0             0             0             0
  waits                   8             7             9             7             9
  preempted              12            12            12            12            12
  user + sys           6.84 s        6.84 s        6.85 s        6.84 s        6.90 s

sort-par is 7.93 × faster than sort-seq (7.89 … 7.96), for 1.39 × the CPU (1.38 … 1.39)

tare: starting a process costs 1.20 ms (included) · load 0.9
repeat: tare time --seed 7f3a --vs './sort-seq 100' -- ./sort-par 100
`
)
