package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"signalbox/agents"
)

// placeOf is where an agent works, as the repository itself says it: no program is run.
func placeOf(cwd string) agents.Place {
	p := agents.Place{Cwd: cwd}
	if cwd == "" || !filepath.IsAbs(cwd) {
		return p
	}
	p.Project = filepath.Base(cwd)
	for dir := cwd; ; {
		git := filepath.Join(dir, ".git")
		if info, err := os.Stat(git); err == nil {
			p.Project, p.Root = filepath.Base(dir), dir
			gitDir := git
			if !info.IsDir() {
				gitDir, p.Project, p.Worktree = linkedWorktree(dir, git, p.Project)
			}
			p.Branch = branchOf(gitDir)
			return p
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return p
		}
		dir = parent
	}
}

// linkedWorktree reads the file that a linked worktree has in place of its repository.
func linkedWorktree(dir, file, project string) (gitDir, name, worktree string) {
	text := readSmall(file)
	target, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir:")
	if !ok {
		return "", project, ""
	}
	gitDir = strings.TrimSpace(target)
	if !filepath.IsAbs(gitDir) {
		gitDir = filepath.Join(dir, gitDir)
	}
	// …/main/.git/worktrees/fix, or …/main.git/worktrees/fix of a bare one: the repository is main. A submodule has
	// …/.git/modules/x.
	parent := filepath.Dir(gitDir)
	if filepath.Base(parent) != "worktrees" {
		return gitDir, project, ""
	}
	repository := filepath.Dir(parent)
	if strings.HasPrefix(filepath.Base(repository), ".") {
		repository = filepath.Dir(repository)
	}
	return gitDir, strings.TrimSuffix(filepath.Base(repository), ".git"), filepath.Base(dir)
}

// branchOf is the branch that is checked out; empty: none.
func branchOf(gitDir string) string {
	if gitDir == "" {
		return ""
	}
	head := bytes.TrimSpace(readSmall(filepath.Join(gitDir, "HEAD")))
	branch, ok := bytes.CutPrefix(head, []byte("ref: refs/heads/"))
	if !ok {
		return ""
	}
	return string(branch)
}

// readSmall is the start of a small file; nothing where it cannot be read. What is no file is not opened: whoever made
// the folder could have put a pipe there, which would hold the agent for ever.
func readSmall(path string) []byte {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	b := make([]byte, 4096)
	n, _ := f.Read(b)
	return b[:n]
}
