package clienttls

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestConfigErrors(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text.pem")
	if err := os.WriteFile(text, []byte("no PEM"), 0o600); err != nil {
		t.Fatal(err)
	}
	long := filepath.Join(dir, "long.pem")
	if f, err := os.Create(long); err != nil || f.Truncate(maxFile+1) != nil || f.Close() != nil {
		t.Fatal("cannot make a long file")
	}
	for want, f := range map[string]Files{
		"property x.ca: " + text + ": no certificate in PEM":   {CA: text},
		"property x.ca: " + dir + ": is not a regular file":    {CA: dir},
		"property x.ca: " + long + ": is longer than 16 MiB":   {CA: long},
		"property x.cert needs property x.key":                 {Cert: text},
		"property x.key needs property x.cert":                 {Key: text},
		"property x.cert: " + text + " and " + text + ": tls:": {Cert: text, Key: text},
		"property x.cert: stat nowhere":                        {Cert: "nowhere", Key: text},
	} {
		if _, err := f.Config("host", "x."); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want %q", f, err, want)
		}
	}
}

func TestConfig(t *testing.T) {
	c, err := Files{}.Config("host", "x.")
	if err != nil || c.ServerName != "host" || c.InsecureSkipVerify || c.RootCAs != nil {
		t.Errorf("%+v, %v", c, err)
	}
	c, err = Files{ServerName: "other", Insecure: true}.Config("host", "x.")
	if err != nil || c.ServerName != "other" || !c.InsecureSkipVerify {
		t.Errorf("%+v, %v", c, err)
	}
	if (Files{}).Given() || !(Files{Insecure: true}).Given() {
		t.Error("Given is wrong")
	}
}
