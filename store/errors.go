package store

import (
	"context"
	"errors"
	"fmt"

	"signalbox/notify"
)

// wrap turns what the database says into an error of the domain.
func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	var e *notify.Error
	if errors.As(err, &e) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	out := notify.Errorf(notify.CodeUnavailable, "The store could not be used.")
	out.Cause = fmt.Errorf("%s: %w", what, err)
	return out
}
