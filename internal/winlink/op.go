package winlink

import (
	"encoding/json"
	"fmt"
	"reflect"

	"signalbox/notify"
)

// ops are the commands that an owner's front end may send, by name.
var ops = func() map[string]reflect.Type {
	m := map[string]reflect.Type{}
	for _, op := range []notify.Op{
		notify.Publish{}, notify.Update{}, notify.Dismiss{}, notify.Resolve{}, notify.Expire{}, notify.Cancel{}, notify.AnswerOp{},
		notify.InvokeAction{}, notify.SetRead{}, notify.SetMuted{}, notify.Snooze{}, notify.Unsnooze{}, notify.SetAside{},
		notify.Import{}, notify.CreateConnection{}, notify.UpdateConnection{}, notify.RevokeConnection{}, notify.RotateToken{},
		notify.SeeSession{}, notify.SetFocus{}, notify.AckInvalidations{}, notify.SetSettings{},
	} {
		t := reflect.TypeOf(op)
		m[t.Name()] = t
	}
	return m
}()

// command is an operation with who sends it.
type command struct {
	By   notify.Actor    `json:"by"`
	Name string          `json:"name"`
	Op   json.RawMessage `json:"op"`
}

func encodeOp(by notify.Actor, op notify.Op) (command, error) {
	name := reflect.TypeOf(op).Name()
	if ops[name] == nil {
		return command{}, fmt.Errorf("%T is no command of a window", op)
	}
	b, err := json.Marshal(op)
	return command{by, name, b}, err
}

func (c command) decode() (notify.Op, error) {
	t := ops[c.Name]
	if t == nil {
		return nil, fmt.Errorf("%q is no command of a window", c.Name)
	}
	v := reflect.New(t)
	if err := json.Unmarshal(c.Op, v.Interface()); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	return v.Elem().Interface().(notify.Op), nil
}
