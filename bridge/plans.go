package bridge

import (
	"reflect"

	"signalbox/bridge/wire"
	"signalbox/internal/jsonobject"
)

// These are written with every change, for whoever made it and for every stream.
var (
	notificationPlan = jsonobject.New[wire.Notification](nil, timePlan)
	publishPlan      = jsonobject.New[wire.PublishResult](nil, timePlan)
	streamPlan       = jsonobject.New[wire.StreamData](nil, timePlan)
)

// timePlan writes instants as wire.Time does.
var timePlan = map[reflect.Type]jsonobject.Writer{
	reflect.TypeFor[wire.Time](): func(b []byte, v reflect.Value) ([]byte, error) {
		t := v.Addr().Interface().(*wire.Time)
		if t.IsZero() {
			return append(b, "null"...), nil
		}
		b = append(b, '"')
		b = t.UTC().AppendFormat(b, wire.TimeLayout)
		return append(b, '"'), nil
	},
}

// planned writes v by a plan.
func planned[T any](p *jsonobject.Plan[T], v *T) ([]byte, error) {
	return p.Append(make([]byte, 0, 1536), v)
}
