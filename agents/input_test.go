package agents

import (
	"strings"
	"testing"
)

// A session's address names its working tree and its branch, for the chips beside it.
func TestPlaceURL(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		place Place
		want  string
	}{
		"a repository":         {Place{Cwd: "/src/shop/api", Root: "/src/shop", Branch: "main"}, "file:///src/shop#main"},
		"no repository":        {Place{Cwd: "/src/notes"}, "file:///src/notes"},
		"a branch with a path": {Place{Cwd: "/src/shop", Root: "/src/shop", Branch: "fix/login #2"}, "file:///src/shop#fix/login%20%232"},
		"a blank, a percent":   {Place{Cwd: "/my src/100%"}, "file:///my%20src/100%25"},
		"Windows":              {Place{Cwd: `C:\src\shop`, Branch: "main"}, "file:///C:/src/shop#main"},
		"a share":              {Place{Cwd: `\\server\src`}, ""},
		"relative":             {Place{Cwd: "src"}, ""},
		"unknown":              {Place{}, ""},
		"a linked worktree":    {Place{Cwd: "/wt/fix", Root: "/wt/fix", Project: "shop & co", Worktree: "fix", Branch: "main"}, "file:///wt/fix?project=shop+%26+co#main"},
		"endless":              {Place{Cwd: "/" + strings.Repeat("a", 3000)}, ""},
	} {
		if got := c.place.URL(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
