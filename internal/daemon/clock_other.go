//go:build !linux

package daemon

import (
	"errors"
	"time"

	"signalbox/center"
)

func newWallAlarm(func() time.Time) (center.Alarm, error) {
	return nil, errors.New("no timer by the wall clock")
}
