package bridge

import _ "embed"

// openAPIDescription is the OpenAPI 3.1 description of the routes, made from
// the route table and the wire's shapes by a test, which fails when it is out
// of step: go test ./bridge -run TestOpenAPI -update writes it.
//
//go:embed openapi.json
var openAPIDescription []byte
