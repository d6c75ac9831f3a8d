#!/usr/bin/env node
import { UsageError } from '@hypocaust/service'
import { CommanderError } from 'commander'
import { UsageFailure } from './failure.ts'
import { buildProgram } from './program.ts'

try {
  await buildProgram().parseAsync()
} catch (error) {
  process.exitCode = tell(error)
}

function tell(error: unknown): number {
  // Commander has already printed what it has to say.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  console.error(`hypocaust: ${error instanceof Error ? error.message : error}`)
  return error instanceof UsageFailure || error instanceof UsageError ? 2 : 1
}
