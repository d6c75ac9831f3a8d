#!/usr/bin/env node
import { runAgentCommand } from './command-line.ts'

process.exitCode = await runAgentCommand(process.argv.slice(2))
