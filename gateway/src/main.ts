#!/usr/bin/env node
import { keepCompiledCode } from './process/compile-cache.ts'
import { runInLittleMemory } from './process/little-memory.ts'

const args = process.argv.slice(2)

keepCompiledCode()
const { runAgentCommand } = await import('./cli/command-line.ts')
if (args[0] === 'run') runInLittleMemory()
process.exitCode = await runAgentCommand(args)
