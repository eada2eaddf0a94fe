package profile_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/show/subjects/profile"
)

// clicks runs in the image behind its own script: a click on a function, a search, and
// Escape; the names that are seen after each go where the test finds them.
const clicks = `<script><![CDATA[
window.prompt = function () { return "sleep"; };
var root = document.documentElement, all = [].slice.call(root.querySelectorAll("g[data-n]")), said = [];
function seen() {
  said.push(all.filter(function (g) { return g.style.display !== "none"; }).map(function (g) {
    return g.getAttribute("data-n") + ":" + Math.round(g.querySelector("rect").getAttribute("width"));
  }).join(" "));
}
function click(e) { e.dispatchEvent(new MouseEvent("click", { bubbles: true })); }
function named(n) { return all.filter(function (g) { return g.getAttribute("data-n") === n; })[0]; }
click(named("main.sleep500")); seen();
click(document.querySelector(".found")); said.push(document.querySelector(".found").textContent);
root.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" })); seen();
function tool(n) { return [].slice.call(document.querySelectorAll(".tool")).filter(function (t) { return t.textContent === n; })[0]; }
click(tool("focus")); said.push(document.querySelector(".found").textContent); seen();
window.prompt = function () { return "("; };
click(tool("ignore")); said.push(document.querySelector(".found").textContent.slice(0, 26));
root.setAttribute("data-said", said.join("|"));
]]></script>
</svg>
`

// TestFlameInBrowser: what the image does in Chromium.
func TestFlameInBrowser(t *testing.T) {
	path, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("TARE_REQUIRE_BROWSER") == "1" {
			t.Fatal("chromium is not installed, and TARE_REQUIRE_BROWSER is 1")
		}
		t.Skip("chromium is not installed")
	}
	var svg bytes.Buffer
	if err := view(t, wall, profile.Config{Blocked: true}).Flame(&svg); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "flame.svg")
	if err := os.WriteFile(file, []byte(strings.Replace(svg.String(), "</svg>\n", clicks, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir="+t.TempDir(), "--dump-dom", "file://"+file)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	m := regexp.MustCompile(`data-said="([^"]*)"`).FindSubmatch(out)
	if m == nil {
		t.Fatalf("the image's scripts have not run:\n%.2000s", out)
	}
	said := strings.Split(string(m[1]), "|")
	const zoomed = "all:1180 runtime.main:1180 main.main:1180 main.sleep500:1180 time.Sleep:1180"
	const kept = "all:1180 runtime.main:1180 main.main:1180 main.sleep100:473 time.Sleep:473 main.sleep50:117 time.Sleep:117 main.sleep500:590 time.Sleep:590"
	if len(said) != 6 || said[0] != zoomed || said[1] != "sleep: 50.0 % in 3 places" || !strings.HasPrefix(said[2], "all:1180 main.worker:590 ") ||
		said[3] != "kept: 50.0 % of all · sleep: 50.0 % in 3 places" || said[4] != kept || !strings.HasPrefix(said[5], "Invalid regular expression") {
		t.Errorf("%q", said)
	}
}
