package main

type setupCmd struct{}
type mcpCmd struct{}
type doctorCmd struct{}
type backupCmd struct{}
type restoreCmd struct{}
type exportCmd struct{}
type importCmd struct{}

func (setupCmd) Run() error               { return nil }
func (mcpCmd) Run() error                 { return nil }
func (doctorCmd) Run() error              { return nil }
func (backupCmd) Run() error              { return nil }
func (restoreCmd) Run() error             { return nil }
func (exportCmd) Run() error              { return nil }
func (importCmd) Run() error              { return nil }
func followOpenCode(*app, *hookCmd) error { return nil }
