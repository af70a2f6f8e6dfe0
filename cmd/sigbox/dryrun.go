package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
)

// wouldDo are what is done to a file, where nothing is.
var wouldDo = map[string]string{"written": "would write", "removed": "would take ours out of", "deleted": "would delete"}

// Bounds of what a dry run shows of a file.
const (
	diffLines = 60
	diffWidth = 140
	diffWhole = 20 // lines of what is no JSON
)

// diffOf are the lines that would be put in, short: JSON is on a line for each of its entries.
func diffOf(adds []string) []string {
	var out []string
	for _, add := range adds {
		trimmed := strings.Trim(strings.TrimSpace(add), ",")
		entry := "{" + trimmed + "}"
		var fields map[string]json.RawMessage
		switch {
		case json.Unmarshal([]byte(trimmed), &fields) == nil || json.Unmarshal([]byte(entry), &fields) == nil:
			for name, value := range eachHook(fields) {
				out = append(out, cutTo(name+": "+value, diffWidth))
			}
		case strings.Count(add, "\n") > diffWhole:
			out = append(out, fmt.Sprintf("a file of %d lines of its own (--json shows them)", strings.Count(strings.TrimSpace(add), "\n")+1))
		default:
			for line := range strings.Lines(strings.Trim(add, "\r\n")) {
				out = append(out, cutTo(strings.TrimRight(line, "\r\n"), diffWidth))
			}
		}
	}
	if len(out) > diffLines {
		out = append(out[:diffLines], fmt.Sprintf("… and %d lines more (--json shows all)", len(out)-diffLines))
	}
	return out
}

// eachHook goes over what is put in, event by event, as the agent's file has it: {"hooks": {"Stop": …}} or {"Stop": …}.
func eachHook(fields map[string]json.RawMessage) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			var inner map[string]json.RawMessage
			if name == "hooks" && json.Unmarshal(fields[name], &inner) == nil {
				for event, value := range eachHook(inner) {
					if !yield(event, value) {
						return
					}
				}
				continue
			}
			value := commandIn(fields[name])
			if value == "" {
				value = string(fields[name])
			}
			if !yield(name, strings.Join(strings.Fields(value), " ")) {
				return
			}
		}
	}
}

// cutTo is text of so many characters at most.
func cutTo(s string, max int) string {
	if r := []rune(s); len(r) > max {
		return string(r[:max-1]) + "…"
	}
	return s
}

// commandIn is the command line in an agent's entry, however deep it is: what a reader looks for. Empty: there is none.
func commandIn(raw json.RawMessage) string {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil {
		for _, one := range list {
			if c := commandIn(one); c != "" {
				return c
			}
		}
		return ""
	}
	var entry struct {
		Command, Bash, Exec string
		Args                []string
		Hooks               json.RawMessage
	}
	if json.Unmarshal(raw, &entry) != nil {
		return ""
	}
	if c := cmp.Or(entry.Command, entry.Bash, entry.Exec); c != "" {
		return strings.Join(append([]string{c}, entry.Args...), " ")
	}
	if entry.Hooks == nil {
		return ""
	}
	return commandIn(entry.Hooks)
}
