package rules

import (
	"bufio"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	root    = filepath.Join("..", "..")
	entry   = regexp.MustCompile(`^- \*\*([A-Z]\d+)\*\* \S`)
	another = regexp.MustCompile(`\b([LDIREAPS]\d{1,2})\b`)
	proof   = regexp.MustCompile(`^\s*// Proves: ([A-Z]\d+(?:, [A-Z]\d+)*)(?:[.,; ].*)?$`)
)

// listed are the rules of docs/rules.md, in order.
func listed(t *testing.T) []string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, "docs", "rules.md"))
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for line := range strings.Lines(string(b)) {
		if m := entry.FindStringSubmatch(line); m != nil {
			if slices.Contains(ids, m[1]) {
				t.Errorf("rule %s is listed twice", m[1])
			}
			ids = append(ids, m[1])
		}
	}
	return ids
}

// proved maps each rule to the test files that say they prove it.
func proved(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "vendor"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for n := 1; lines.Scan(); n++ {
			line := lines.Text()
			if strings.HasPrefix(strings.TrimSpace(line), "// Proves:") && !proof.MatchString(line) {
				t.Errorf("%s:%d: want rule numbers with commas after Proves", path, n)
			}
			if m := proof.FindStringSubmatch(line); m != nil {
				for _, id := range strings.Split(m[1], ", ") {
					out[id] = append(out[id], path)
				}
			}
		}
		return lines.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestEveryRuleIsProved fails for a rule that no test names, and for a test that names no rule.
func TestEveryRuleIsProved(t *testing.T) {
	rules, proofs := listed(t), proved(t)
	if len(rules) < 58 {
		t.Fatalf("docs/rules.md lists %d rules; is its form another?", len(rules))
	}
	for _, id := range rules {
		if len(proofs[id]) == 0 {
			t.Errorf("no test proves %s", id)
		}
	}
	for id, files := range proofs {
		// T numbers are failures that a test provokes; they are no rules.
		if !strings.HasPrefix(id, "T") && !slices.Contains(rules, id) {
			t.Errorf("%s proves %s, which docs/rules.md does not list", files[0], id)
		}
	}
}

// TestReferences fails where the list refers to a rule that it does not have.
func TestReferences(t *testing.T) {
	rules := listed(t)
	b, err := os.ReadFile(filepath.Join(root, "docs", "rules.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range another.FindAllStringSubmatch(string(b), -1) {
		if !slices.Contains(rules, m[1]) {
			t.Errorf("docs/rules.md refers to %s, which it does not list", m[1])
		}
	}
}
