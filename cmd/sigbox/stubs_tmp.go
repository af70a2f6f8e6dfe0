package main

type backupCmd struct{}
type restoreCmd struct{}
type exportCmd struct{}
type importCmd struct{}

func (backupCmd) Run() error  { return nil }
func (restoreCmd) Run() error { return nil }
func (exportCmd) Run() error  { return nil }
func (importCmd) Run() error  { return nil }
