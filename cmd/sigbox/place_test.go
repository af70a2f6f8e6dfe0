package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"signalbox/agents"
)

// Where an agent works is named as the repository names it, whatever its working tree's folder is called.
func TestPlaceOfWorkingTrees(t *testing.T) {
	t.Parallel()
	const branch = "ref: refs/heads/fix/parser\n"
	for name, c := range map[string]struct {
		files map[string]string
		cwd   string
		want  agents.Place // Cwd and Root are those of the case
		root  string
		label string
	}{
		"a repository": {map[string]string{"shop/.git/HEAD": branch}, "shop/api",
			agents.Place{Project: "shop", Branch: "fix/parser"}, "shop", "shop (fix/parser)"},
		"no repository": {nil, "notes", agents.Place{Project: "notes"}, "", "notes"},
		"a linked worktree": {map[string]string{"shop/.git/worktrees/shop-fix/HEAD": branch, "wt/shop-fix/.git": "gitdir: @/shop/.git/worktrees/shop-fix\n"}, "wt/shop-fix/api",
			agents.Place{Project: "shop", Worktree: "shop-fix", Branch: "fix/parser"}, "wt/shop-fix", "shop ⑂ shop-fix (fix/parser)"},
		"a worktree named as its branch": {map[string]string{"shop/.git/worktrees/fix-parser/HEAD": branch, "shop/.worktrees/fix-parser/.git": "gitdir: ../../.git/worktrees/fix-parser"}, "shop/.worktrees/fix-parser",
			agents.Place{Project: "shop", Worktree: "fix-parser", Branch: "fix/parser"}, "shop/.worktrees/fix-parser", "shop ⑂ fix/parser"},
		"a worktree without a branch": {map[string]string{"shop/.git/worktrees/fix/HEAD": "0123456789\n", "fix/.git": "gitdir: @/shop/.git/worktrees/fix"}, "fix",
			agents.Place{Project: "shop", Worktree: "fix"}, "fix", "shop ⑂ fix"},
		"a worktree of a bare repository": {map[string]string{"shop.git/worktrees/fix/HEAD": branch, "fix/.git": "gitdir: @/shop.git/worktrees/fix"}, "fix",
			agents.Place{Project: "shop", Worktree: "fix", Branch: "fix/parser"}, "fix", "shop ⑂ fix (fix/parser)"},
		"a bare repository beside its worktrees": {map[string]string{"shop/.bare/worktrees/fix/HEAD": branch, "shop/fix/.git": "gitdir: @/shop/.bare/worktrees/fix"}, "shop/fix",
			agents.Place{Project: "shop", Worktree: "fix", Branch: "fix/parser"}, "shop/fix", "shop ⑂ fix (fix/parser)"},
		"a worktree whose folder was renamed by git": {map[string]string{"shop/.git/worktrees/fix1/HEAD": branch, "other/fix/.git": "gitdir: @/shop/.git/worktrees/fix1"}, "other/fix",
			agents.Place{Project: "shop", Worktree: "fix", Branch: "fix/parser"}, "other/fix", "shop ⑂ fix (fix/parser)"},
		"a submodule": {map[string]string{"shop/.git/modules/lib/HEAD": branch, "shop/lib/.git": "gitdir: ../.git/modules/lib"}, "shop/lib",
			agents.Place{Project: "lib", Branch: "fix/parser"}, "shop/lib", "lib (fix/parser)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for path, text := range c.files {
				full := filepath.Join(dir, filepath.FromSlash(path))
				if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(full, []byte(strings.ReplaceAll(text, "@", dir)), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want := c.want
			want.Cwd = filepath.Join(dir, filepath.FromSlash(c.cwd))
			if c.root != "" {
				want.Root = filepath.Join(dir, filepath.FromSlash(c.root))
			}
			got := placeOf(want.Cwd)
			if got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
			if got.Label() != c.label {
				t.Errorf("called %q, want %q", got.Label(), c.label)
			}
		})
	}
}
