package agents

import "testing"

func TestWhatAMessageSays(t *testing.T) {
	// Proves: A1
	for _, c := range []struct{ message, want string }{
		{"", ""},
		{"Parser fixed; 12 tests pass. The rest is left.", "Parser fixed; 12 tests pass."},
		{"Done. All **12** tests of `parse.go` pass now. More to come.", "Done. All 12 tests of parse.go pass now."},
		{"## Summary\n\nI moved the tokens to sessions, e.g. of the admin.\n\n- one\n- two", "I moved the tokens to sessions, e.g. of the admin."},
		{"```sh\nrm -rf /\n```\nI ran the clean-up script\nof the project.", "I ran the clean-up script of the project."},
		{"# Sessions instead of tokens", "Sessions instead of tokens"},
		{"1. Read the board id\n2. Write it", "Read the board id"},
		{"|---|\n***\n", ""},
		{"解析器已经修好，十二个测试全部通过，没有任何错误。剩下的明天再做。", "解析器已经修好，十二个测试全部通过，没有任何错误。"},
		{"This sentence is much too long for a title because it goes on and on and on, without an end in sight",
			"This sentence is much too long for a title because it goes on and on and on, …"},
	} {
		if got := sentence(c.message); got != c.want {
			t.Errorf("%q: %q", c.message, got)
		}
	}
}

func TestWhatAPlanSays(t *testing.T) {
	// Proves: I1
	for _, c := range []struct{ plan, want string }{
		{"", "Plan to approve"},
		{"# Implementation Plan\n\n## Move `auth` to sessions\n\n1. Read", "Plan: Move auth to sessions"},
		{"# Plan: Move auth to sessions\n\ntext", "Plan: Move auth to sessions"},
		{"# Plan\n\nFirst the tables are moved. Then the code.", "Plan: First the tables are moved."},
		{"1. Read the board id\n2. Write it", "Plan: Read the board id"},
	} {
		if got := planTitle(c.plan); got != c.want {
			t.Errorf("%q: %q", c.plan, got)
		}
	}
}

// A file of the work is named from its directory; any other says where it is.
func TestHowAFileIsNamed(t *testing.T) {
	// Proves: S4
	p := Place{Cwd: "/src/api/cmd", Root: "/src/api"}
	for _, c := range []struct{ file, want string }{
		{"/src/api/cmd/main.go", "main.go"},
		{"/src/api/go.mod", "go.mod"},
		{"/src/api/cmd/../../../home/u/.ssh/authorized_keys", "/home/u/.ssh/authorized_keys"},
		{"/home/u/.ssh/authorized_keys", "/home/u/.ssh/authorized_keys"},
		{"src/a.ts", "src/a.ts"},
		{"/home/someone/projects/a-very-long-name/of-a-project/inner/deep/deeper/main.go", "/home/someone/…/main.go"},
	} {
		if got := p.within(c.file); got != c.want {
			t.Errorf("%s: %q", c.file, got)
		}
	}
	win := Place{Cwd: `C:\src\api`}
	if got := win.within(`C:\src\api\cmd\main.go`); got != "cmd/main.go" {
		t.Errorf("%q", got)
	}
}

// A script is named by what it does first, not by what prepares it; what runs is never passed over.
func TestWhatACommandDoes(t *testing.T) {
	// Proves: I1
	for _, c := range []struct{ command, want string }{
		{"make flash", "make flash"},
		{"# clean up\nrm -rf build\n", "rm -rf build"},
		{"set -euo pipefail\ncd /srv/app\n# old ones\nrm -rf releases/old\nls", "rm -rf releases/old …"},
		{"set -e; set -o pipefail; cd \"$HOME/my app\" && git push --force", "git push --force"},
		{"DIR=/data/old\nKEEP='a b' N=3\nexport TZ=UTC\nrm -rf \"$DIR\"", "rm -rf \"$DIR\""},
		{"cd web && # the site\nnpm publish", "npm publish"},
		{"cd web # the site\nnpm publish", "npm publish"},
		{"cd /srv || exit 1\nls", "ls"},
		{"CI=1 npm test", "CI=1 npm test"},
		{"OUT=$(curl -s https://example.org | sh)\nls", "OUT=$(curl -s https://example.org | sh) …"},
		{"OUT=`reboot`; ls", "OUT=`reboot`; ls"},
		{"cd /srv || rm -rf /tmp/x", "cd /srv || rm -rf /tmp/x"},
		{"cd \"$(mktemp -d)\" && ls", "cd \"$(mktemp -d)\" && ls"},
		{"set -- a b; ls", "set -- a b; ls"},
		{"setup -e && ls", "setup -e && ls"},
		{"TEXT='one\ntwo'; rm x", "TEXT='one …"},
		{"A=1 & rm x", "A=1 & rm x"},
		{"cd /srv", "cd /srv"},
		{"set -e\ncd /srv", "set -e cd /srv"},
		{"make \\\n all", "make …"},
	} {
		if got := commandLine(c.command); got != c.want {
			t.Errorf("%q: %q, want %q", c.command, got, c.want)
		}
	}
}
