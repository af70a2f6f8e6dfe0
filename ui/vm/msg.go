package vm

import (
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
)

// Msg is a text for people: a key of the translations and its arguments. The zero value is no text.
// It is comparable, so that rows can be compared before they are drawn again.
type Msg struct {
	Key string
	// N fills {n} and chooses the plural form; a text without plural forms ignores it.
	N int
	// A and B fill {a} and {b}; they are data and are never translated.
	A, B string
}

// M names a text without arguments.
func M(key string) Msg { return Msg{Key: key} }

// MN names a text that counts.
func MN(key string, n int) Msg { return Msg{Key: key, N: n} }

// MA names a text with one argument.
func MA(key, a string) Msg { return Msg{Key: key, A: a} }

// IsZero reports whether m is no text.
func (m Msg) IsZero() bool { return m.Key == "" }

// Catalog holds the texts of one language over those of English.
type Catalog struct {
	Language string // "en", "de", "ja", "zh-Hans"
	texts    map[string]forms
	fallback *Catalog
}

type forms struct{ One, Other string }

// Languages are the languages that there are texts for, with their own names, in the order shown.
var Languages = []struct{ Code, Name string }{
	{"en", "English"}, {"de", "Deutsch"}, {"ja", "日本語"}, {"zh-Hans", "简体中文"},
}

// LoadCatalog reads translations/LANG.json from fsys. An unknown language is English.
func LoadCatalog(fsys fs.FS, language string) (*Catalog, error) {
	en, err := readCatalog(fsys, "en")
	if err != nil {
		return nil, err
	}
	language = MatchLanguage(language)
	if language == "en" {
		return en, nil
	}
	c, err := readCatalog(fsys, language)
	if err != nil {
		return nil, err
	}
	c.fallback = en
	return c, nil
}

// MatchLanguage finds the language that there are texts for, from a system locale such as
// "de_AT.UTF-8" or "zh-Hans-CN"; English when there is none.
func MatchLanguage(locale string) string {
	l := strings.ToLower(locale)
	switch {
	case strings.HasPrefix(l, "de"):
		return "de"
	case strings.HasPrefix(l, "ja"):
		return "ja"
	case strings.HasPrefix(l, "zh"):
		return "zh-Hans" // traditional readers read it better than English
	}
	return "en"
}

func readCatalog(fsys fs.FS, language string) (*Catalog, error) {
	b, err := fs.ReadFile(fsys, "translations/"+language+".json")
	if err != nil {
		return nil, fmt.Errorf("read the texts of %s: %w", language, err)
	}
	var raw map[string]any
	if err := json.Unmarshal(b, &raw); err != nil {
		return nil, fmt.Errorf("read the texts of %s: %w", language, err)
	}
	c := &Catalog{Language: language, texts: make(map[string]forms, len(raw))}
	for k, v := range raw {
		switch v := v.(type) {
		case string:
			c.texts[k] = forms{Other: v}
		case map[string]any:
			one, _ := v["one"].(string)
			other, _ := v["other"].(string)
			c.texts[k] = forms{One: one, Other: other}
		}
	}
	return c, nil
}

// Keys are the keys that the language itself has, sorted.
func (c *Catalog) Keys() []string {
	keys := make([]string, 0, len(c.texts))
	for k := range c.texts {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Text writes m in the language; English where it has no such text, the key where none has. A nil
// catalog answers with the key.
func (c *Catalog) Text(m Msg) string {
	if m.Key == "" {
		return ""
	}
	for at := c; at != nil; at = at.fallback {
		f, ok := at.texts[m.Key]
		if !ok {
			continue
		}
		s := f.Other
		if m.N == 1 && f.One != "" {
			s = f.One
		}
		if !strings.Contains(s, "{") {
			return s
		}
		return strings.NewReplacer("{n}", strconv.Itoa(m.N), "{a}", m.A, "{b}", m.B).Replace(s)
	}
	return m.Key
}
