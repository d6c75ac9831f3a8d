// Fails when an import points against the architecture, or names a package its workspace does not declare.
import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'

/** Who may import whom, as in docs/architecture.md. Tests may reach further: they hold the parts together. */
const WORKSPACES: Record<string, string[]> = {
  domain: [],
  control: ['domain'],
  simulator: ['domain'],
  client: [],
  service: ['domain', 'control'],
  gateway: ['domain', 'control'],
  matter: ['domain'],
  cli: ['domain', 'client', 'control', 'service', 'gateway', 'simulator', 'matter'],
  bench: ['domain', 'client', 'control', 'simulator'],
  web: ['domain'],
}

/** Adapters inside the service, which never import each other. */
const ADAPTERS = ['doors/http', 'doors/mqtt']

const root = resolve(import.meta.dirname, '..')
const problems: string[] = []

for (const [workspace, allowed] of Object.entries(WORKSPACES)) {
  const manifest = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))
  const declared = new Set(Object.keys(manifest.dependencies ?? {}))
  for (const file of sourceFiles(join(root, workspace, 'src'))) {
    for (const specifier of importsOf(file)) check(workspace, allowed, declared, file, specifier)
  }
}

if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exit(1)
}

function check(workspace: string, allowed: string[], declared: Set<string>, file: string, specifier: string) {
  const complain = (why: string) => problems.push(`${relative(root, file)}: imports ${specifier}: ${why}`)
  if (specifier.startsWith('node:')) return
  if (specifier.startsWith('.')) return checkRelative(workspace, file, specifier, complain)
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
  if (builtinModules.includes(name)) return complain('write it with the node: prefix')
  const target = name.replace(/^@hypocaust\//, '')
  if (target !== name && !allowed.includes(target))
    return complain(`${workspace} may import only ${allowed.join(', ')}`)
  if (!declared.has(name)) complain(`not among the dependencies of ${workspace}/package.json`)
}

function checkRelative(workspace: string, file: string, specifier: string, complain: (why: string) => void) {
  const inside = relative(join(root, workspace, 'src'), resolve(dirname(file), specifier))
  if (inside.startsWith('..')) return complain('leaves its workspace; import the package instead')
  const from = adapterOf(relative(join(root, workspace, 'src'), file))
  const to = adapterOf(inside)
  if (workspace === 'service' && from && to && from !== to) complain(`the adapters ${from}/ and ${to}/ never meet`)
}

function adapterOf(path: string): string | undefined {
  return ADAPTERS.find((adapter) => path.startsWith(`${adapter}/`))
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') || name.endsWith('.tsx'))
    .map((name) => join(folder, name))
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const pattern = /(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]/g
  return [...text.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? '')
}
