package why

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/BurntSushi/toml"
)

// Load returns the seeds of the files in dir/seeds, sorted by name. It fails for keys and causes that it does not know, for
// names that are used twice, and for seeds that lack what each must have.
func Load(dir string) ([]Seed, error) {
	files, err := filepath.Glob(filepath.Join(dir, "seeds", "*.toml"))
	if err != nil {
		return nil, err
	}
	var all []Seed
	for _, file := range files {
		seeds, err := loadFile(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, seeds...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no seeds", dir)
	}
	slices.SortFunc(all, func(a, b Seed) int { return cmp.Compare(a.Name, b.Name) })
	for i := range all[1:] {
		if all[i].Name == all[i+1].Name {
			return nil, fmt.Errorf("seed %s: the name is used twice", all[i].Name)
		}
	}
	return all, nil
}

func loadFile(file string) ([]Seed, error) {
	var content struct {
		Seeds []Seed `toml:"seed"`
	}
	meta, err := toml.DecodeFile(file, &content)
	if err != nil {
		return nil, err
	}
	if keys := meta.Undecoded(); len(keys) > 0 {
		return nil, fmt.Errorf("unknown key %s", keys[0])
	}
	for i := range content.Seeds {
		if err := content.Seeds[i].check(); err != nil {
			return nil, fmt.Errorf("seed %s: %w", content.Seeds[i].Name, err)
		}
	}
	return content.Seeds, nil
}

// check reports what is missing or unknown.
func (s *Seed) check() error {
	causes := append([]string{s.Cause}, s.Accepted...)
	for _, a := range s.Also {
		causes = append(causes, a.Cause)
	}
	for _, cause := range causes {
		if _, ok := Causes[cause]; !ok {
			return fmt.Errorf("unknown cause %q", cause)
		}
	}
	switch {
	case s.Name == "" || s.Package == "" || s.Benchmark == "" || s.Change == "":
		return errors.New("it needs name, package, benchmark and change")
	case s.Difference != Large && s.Difference != Small && s.Difference != None:
		return fmt.Errorf("unknown difference %q", s.Difference)
	case len(s.Also) > 0 && (s.Explained == nil || *s.Explained <= s.Also[0].Explained):
		return errors.New("a further cause explains as much")
	case s.Explained != nil && (*s.Explained < 0 || *s.Explained > 1):
		return fmt.Errorf("explained is %v, want a share from 0 to 1", *s.Explained)
	}
	return nil
}
