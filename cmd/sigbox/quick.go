package main

import (
	"strings"
	"time"
)

// quickHook reads the command line of a hook by hand. An agent starts one for each of its events, and building the whole
// command line by reflection takes longer than the rest of a hook. ok is false for whatever it does not know for sure:
// that is for the parser, which also has the words for what is wrong.
func quickHook(args []string) (c *cli, ok bool) {
	if len(args) == 0 || args[0] != "hook" {
		return nil, false
	}
	c = &cli{}
	h := &c.Hook
	texts := map[string]*string{
		"--event": &h.Event, "--cwd": &h.Cwd, "--session": &h.Session, "--server": &h.Server, "--tag": &h.Tag,
		"--home": &c.Home, "--connection": &c.Connection,
	}
	flags := map[string]*bool{"--sub-agents": &h.SubAgents, "--json": &c.JSON}
	var words []string
	for rest := args[1:]; len(rest) > 0; {
		arg := rest[0]
		rest = rest[1:]
		name, value, valued := strings.Cut(arg, "=")
		if (texts[name] != nil || name == "--wait") && !valued && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
			value, valued, rest = rest[0], true, rest[1:]
		}
		switch {
		case !strings.HasPrefix(arg, "-"):
			words = append(words, arg)
		case valued && value != "" && texts[name] != nil:
			*texts[name] = value
		case valued && name == "--wait":
			d, err := time.ParseDuration(value)
			if err != nil {
				return nil, false
			}
			h.Wait = d
		case !valued && flags[name] != nil:
			*flags[name] = true
		default:
			return nil, false
		}
	}
	switch len(words) {
	case 2:
		h.Payload = words[1]
		fallthrough
	case 1:
		h.Agent = words[0]
	default:
		return nil, false
	}
	return c, h.Agent != ""
}

// valued are the flags of a hook, and those before it, that take the word after them.
var valued = map[string]bool{
	"--home": true, "--connection": true, "-c": true, "--wait": true, "--event": true, "--cwd": true, "--session": true, "--server": true, "--tag": true,
}

// hookAgent is the agent that a command line calls the hook of, empty where it names none; ok is false where it calls
// another command. It reads what the parser may refuse.
func hookAgent(args []string) (agent string, ok bool) {
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case valued[arg]:
			i++
		case strings.HasPrefix(arg, "-"):
		case ok:
			return arg, true
		case arg != "hook":
			return "", false
		default:
			ok = true
		}
	}
	return "", ok
}
