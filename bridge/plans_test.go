package bridge

import (
	stdjson "encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"signalbox/bridge/wire"
)

// TestPlans proves that what is written by a plan is what the library writes, with every member given, also
// one that is newer than this test, and with none.
func TestPlans(t *testing.T) {
	t.Run("notification", func(t *testing.T) {
		samePlan(t, func(v *wire.Notification) ([]byte, error) { return planned(notificationPlan, v) })
	})
	t.Run("publish", func(t *testing.T) {
		samePlan(t, func(v *wire.PublishResult) ([]byte, error) { return planned(publishPlan, v) })
	})
	t.Run("stream", func(t *testing.T) {
		samePlan(t, func(v *wire.StreamData) ([]byte, error) { return planned(streamPlan, v) })
	})
}

func samePlan[T any](t *testing.T, write func(*T) ([]byte, error)) {
	var none, all T
	fill(t, reflect.ValueOf(&all).Elem(), "")
	for _, v := range []*T{&none, &all} {
		want, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := write(v); err != nil || string(got) != string(want) {
			t.Errorf("wrote %s, %v\nwant %s", got, err, want)
		}
	}
}

// fill gives every member a value that is not its zero.
func fill(t *testing.T, v reflect.Value, at string) {
	switch {
	case v.Type() == reflect.TypeFor[wire.Time]():
		v.Set(reflect.ValueOf(wire.At(time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC))))
		return
	case v.Type() == reflect.TypeFor[stdjson.RawMessage]():
		v.SetBytes([]byte(`{"a":[1]}`))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("text")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Float64:
		v.SetFloat(1.5)
	case reflect.Interface:
		v.Set(reflect.ValueOf("any"))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem(), at)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(t, v.Index(0), at)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(t, key, at)
		fill(t, value, at)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), at+"."+v.Type().Field(i).Name)
		}
	default:
		t.Fatalf("%s is of a kind that this test does not know", at)
	}
}
