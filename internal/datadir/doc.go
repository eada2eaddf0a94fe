// Package embedded is what embedded databases under load have in common: a
// directory, which is the user's or a temporary one, and a module whose version
// belongs to the result.
//
//	home, err := embedded.Open("bolt", settings.Dir)
//	db, err := open(home.Path("tare.bolt"))
//	…
//	err = errors.Join(db.Close(), home.Close())
//
// and in what is told of the database:
//
//	name := "bolt" + embedded.Version("go.etcd.io/bbolt")
//	notes = append(notes, home.Notes()...)
package datadir
