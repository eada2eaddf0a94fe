package testing

// tareProbe tells of each time that it is called.
var tareProbe = tarePart{
	process: func() { tareProbeSay("process", "") },
	before:  func(b *B) { tareProbeBegun, tareProbeStarted, tareProbeTimed = 0, 0, 0; tareProbeSay("before", b.name) },
	begin:   func(b *B) { tareProbeBegun++; tareProbeStarted, tareProbeTimed = 0, 0 }, // may not write
	start:   func(b *B) { tareProbeStarted++ },
	stop:    func(b *B) { tareProbeTimed += b.tare.end - b.tare.segment },
	end:     func(b *B) { tareProbeSay("end", b.name) },
	live:    func(b *B) { tareProbeSay("live", b.name) },
	after:   func(b *B) { tareProbeSay("after", b.name) },
	values: func(b *B, v *tareLine) {
		v.int("begun", int64(tareProbeBegun))
		v.int("started", int64(tareProbeStarted))
		v.float("timer", tareProbeTimer(b))
		v.int("timed", tareProbeTimed)
	},
}

var (
	tareProbeBegun   int
	tareProbeStarted int
	tareProbeTimed   int64 // ns
)

func tareProbeSay(at, name string) {
	l := tareOut.line("probe")
	l.text("at", at)
	l.text("name", name)
	tareOut.end()
}

func tareProbeTimer(b *B) float64 {
	if b.timerOn {
		return 1
	}
	return 0
}
