package agents

import (
	"strconv"

	"signalbox/bridge/wire"
)

// aider is Aider: a command without any data, run whenever it waits for input. All that is known is where.
var aider = &Agent{
	Name: "aider", Label: "Aider", Color: "#14B014",
	Events:    []string{"notification"},
	translate: translateAider,
}

func translateAider(c *call, p *Plan) {
	c.event = "notification"
	c.session = sessionID(c.text("session"), c.Session)
	if c.session == "" {
		// One session is one place in one terminal.
		t := c.Terminal
		c.session = "aider-" + digest(c.Place.Cwd, t.TmuxSocket, t.TmuxPane, t.TTY, t.Session, t.Window)
	}
	c.begin(p)
	p.Known, p.Hello = true, true
	p.State, p.Title = StateWaiting, c.name()
	it := c.item(Turn, "waiting", "Waits for you")
	it.Publish.Lines = []string{inItsTerminal}
	// It tells neither what it waits for nor when it was answered: each call is a turn of its own.
	it.told(wire.EventTurnFinished, strconv.FormatInt(c.At.UnixMilli(), 10))
	p.Items = append(p.Items, it)
}
