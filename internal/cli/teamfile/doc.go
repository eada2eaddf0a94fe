// Package teamfile reads tare.toml, with which a team gives the flags of tare other defaults:
//
//	packages   = ["./..."]
//	benchmarks = "Encode|Decode"
//	forks      = 30
//	gates      = ["slower:5%", "more:0%"]
//
//	[[bench]]
//	match     = ".name:/Network/"
//	threshold = "10%"
//	gate      = "slower:20%"
//
// A flag that is given counts before a variable of the environment (TARE_FORKS), that before the file, and the file before
// the default:
//
//	f, err := teamfile.Find(".")
//	origins, err := f.Apply(cmd.Flags(), teamfile.Bench, os.LookupEnv, nil)
package teamfile
