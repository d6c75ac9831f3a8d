#!/usr/bin/env node
import { keepCompiledCode } from '@hypocaust/gateway/compile-cache'
import { runInLittleMemory } from '@hypocaust/gateway/little-memory'

keepCompiledCode()

// Only what a command needs is loaded: an agent on a small machine carries none of the service's code.
const AGENT_COMMANDS = ['run', 'test', 'rehearse', 'discover', 'read', 'pair']

const [first = '', second = ''] = process.argv.slice(2)

if (first === 'gateway' && AGENT_COMMANDS.includes(second)) {
  const { runAgentCommand } = await import('@hypocaust/gateway')
  if (second === 'run') runInLittleMemory()
  process.exitCode = await runAgentCommand(process.argv.slice(3))
} else {
  const { runHolderCommand } = await import('./holder-program.ts')
  if (!(await runHolderCommand(first))) {
    const { runCommand } = await import('./program.ts')
    await runCommand()
  }
}
