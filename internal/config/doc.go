// Package config reads config.toml, the owner's settings in the data directory.
//
// It owns the file's keys, their defaults, their validation and the documented sample. It promises
// that an error names the line and the key at fault, that a file which cannot be used changes nothing
// (the settings before it stay in force), and that nothing is polled: [Watch] learns of changes from
// the system. It never writes the file once it is there.
package config
