// Fails when an import points against the architecture, or names a package its workspace does not declare.
import { resolve } from 'node:path'
import { problemsIn, type Rules } from './directions.ts'

/** As in docs/architecture.md. Tests may reach further: they hold the parts together. */
const RULES: Rules = {
  workspaces: {
    domain: [],
    control: ['domain'],
    simulator: ['domain'],
    client: [],
    mcp: ['client'],
    service: ['domain', 'control', 'client', 'mcp'],
    gateway: ['domain', 'control'],
    matter: ['domain'],
    cli: ['domain', 'client', 'control', 'service', 'gateway', 'simulator', 'matter', 'mcp'],
    bench: ['domain', 'client', 'control', 'simulator', 'testing'],
    web: ['domain'],
  },
  bands: {
    service: ['roles', 'doors', 'people', 'house', 'processes', 'store', 'base'],
    gateway: [
      ...['cli', 'read', 'discover', 'rehearse', 'agent', 'pairing', 'heating', 'page', 'config', 'supply', 'covers'],
      ...['inputs', 'polled', 'adapters', 'valves', 'profiles', 'laws', 'process', 'base'],
    ],
    control: [
      ...['explain', 'design', 'heat', 'diagnose', 'decide', 'plan', 'learn', 'watch', 'estimate', 'tank'],
      ...['room', 'loops', 'model', 'air'],
    ],
  },
  apart: { service: ['doors/http', 'doors/mqtt'] },
  tests: ['testing'],
}

const problems = problemsIn(resolve(import.meta.dirname, '..'), RULES)
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exit(1)
}
