package load

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Settings are the flags of tare load that concern a target of a Go package. Its function
//
//	func Target(cfg map[string]string) (load.Target, error)
//
// gets them in cfg, besides the properties of -p; [ParseSettings] reads them. The zero value is that of a program that
// sets none.
type Settings struct {
	Seed      uint64        // of all choices: what an operation is must follow from it and the operation's number
	Workers   int           // the most workers there will be; 0 if unknown
	OpTimeout time.Duration // time limit of one operation, which the target's client enforces; 0 for none
	Allow     *Consent      // of --allow-host, for [NewDialer]; nil is this machine alone
}

// Names of settings among the properties.
const (
	SettingSeed      = "tare.seed"
	SettingWorkers   = "tare.workers"
	SettingOpTimeout = "tare.op-timeout"
	SettingAllow     = "tare.allow-host"
)

// ParseSettings returns the settings that cfg has. Those that are missing are zero; an error names all that are wrong.
func ParseSettings(cfg map[string]string) (Settings, error) {
	var s Settings
	var errs []error
	read := func(name string, parse func(text string) error) {
		text := cfg[name]
		if text == "" {
			return
		}
		if err := parse(text); err != nil {
			errs = append(errs, fmt.Errorf("%s=%s: %w", name, text, err))
		}
	}
	read(SettingSeed, func(text string) (err error) { s.Seed, err = strconv.ParseUint(text, 10, 64); return err })
	read(SettingWorkers, func(text string) (err error) { s.Workers, err = strconv.Atoi(text); return err })
	read(SettingOpTimeout, func(text string) (err error) { s.OpTimeout, err = time.ParseDuration(text); return err })
	read(SettingAllow, func(text string) (err error) { s.Allow, err = ParseConsent(strings.Fields(text)); return err })
	return s, errors.Join(errs...)
}

// Set adds the settings to cfg, for [ParseSettings].
func (s Settings) Set(cfg map[string]string) {
	cfg[SettingSeed] = strconv.FormatUint(s.Seed, 10)
	cfg[SettingWorkers] = strconv.Itoa(s.Workers)
	cfg[SettingOpTimeout] = s.OpTimeout.String()
	if s.Allow != nil {
		cfg[SettingAllow] = s.Allow.String()
	}
}
