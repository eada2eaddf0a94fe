package build

// Site is where and how go builds a package, for callers that run go before Build.
type Site struct {
	Dir   string   // absolute; where go runs
	Flags []string // of both go list and go test
	Env   []string // the complete environment
}

// SiteOf returns the site of a package that Resolve found.
func SiteOf(opt Options, p Package) (Site, error) {
	at, err := p.buildPlace(opt)
	if err != nil {
		return Site{}, err
	}
	return Site{Dir: at.dir, Flags: opt.flags(at.flags), Env: opt.environ(at.dir, at.env)}, nil
}
