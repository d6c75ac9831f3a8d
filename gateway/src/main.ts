#!/usr/bin/env node
import { keepCompiledCode } from './compile-cache.ts'

keepCompiledCode()
const { runAgentCommand } = await import('./command-line.ts')
process.exitCode = await runAgentCommand(process.argv.slice(2))
