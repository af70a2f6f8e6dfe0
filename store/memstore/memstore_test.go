package memstore_test

import (
	"testing"

	"signalbox/store/memstore"
	"signalbox/store/storetest"
)

func TestContract(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Store { return memstore.New() }, nil)
}
