package testing

// tareProbe tells of each time that it is called.
var tareProbe = tarePart{
	process: func() { tareProbeSay("process", "") },
	before:  func(b *B) { tareProbeBegun, tareProbeTimed = 0, 0; tareProbeSay("before", b.name) },
	begin:   func(b *B) { tareProbeBegun++; tareProbeTimed = 0 }, // may not write
	stop:    func(b *B) { tareProbeTimed += b.tare.end - b.tare.segment },
	end:     func(b *B) { tareProbeSay("end", b.name) },
	live:    func(b *B) { tareProbeSay("live", b.name) },
	after:   func(b *B) { tareProbeSay("after", b.name) },
	values: func(b *B, v *tareLine) {
		v.int("begun", int64(tareProbeBegun))
		v.float("timer", tareProbeTimer(b))
		v.int("timed", tareProbeTimed)
	},
}

var (
	tareProbeBegun int
	tareProbeTimed int64 // ns
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
