// Package datadir has the common parts of embedded databases under load: a directory,
// the user's or a temporary one, and the version of the module for the results.
//
//	home, err := datadir.Open("bolt", settings.Dir)
//	db, err := open(home.Path("tare.bolt"))
//	…
//	err = errors.Join(db.Close(), home.Close())
//
// and in the description of the database:
//
//	name := "bolt" + datadir.Version("go.etcd.io/bbolt")
//	notes = append(notes, home.Notes()...)
package datadir
