package main

import (
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/tarebench/tare/full/command"
	"github.com/tarebench/tare/internal/cli"
	"github.com/tarebench/tare/load/http"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/kv/bolt"
	"github.com/tarebench/tare/load/kv/mem"
	"github.com/tarebench/tare/load/kv/memcached"
	"github.com/tarebench/tare/load/kv/mock"
	"github.com/tarebench/tare/load/kv/postgres"
	"github.com/tarebench/tare/load/kv/redis"
)

// config is that of cmd/tare.
func config() cli.Config {
	return cli.Config{Bindings: []kv.Binding{
		bolt.Binding(), http.Binding(), mem.Binding(), memcached.Binding(), mock.Binding(), postgres.Binding(), redis.Binding(),
	}}
}

// tare returns the command with all its verbs. Those of tare-full alone are among them: its pages say so.
func tare() *cobra.Command {
	root := cli.Command(withAgents(config()))
	root.InitDefaultCompletionCmd()
	root.DisableAutoGenTag = true // its date would make every page differ every day
	return root
}

// withAgents adds the verb agent, and the flags of load by agents.
func withAgents(c cli.Config) cli.Config {
	full := command.Config()
	c.Agents, c.Agent = full.Agents, full.Agent
	return c
}

// writeMan writes the manual pages into a directory.
func writeMan(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return doc.GenManTree(tare(), &doc.GenManHeader{Title: "TARE", Section: "1", Source: "tare", Manual: "tare"}, dir)
}
