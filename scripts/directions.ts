import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'

export interface Rules {
  /** Which workspaces each workspace may import. */
  workspaces: Record<string, string[]>
  /** Folders of a workspace's src/, highest first: imports go downwards. Loose files of src/ stand above all bands. */
  bands: Record<string, string[]>
  /** Folders of a workspace's src/ that never import each other, in either direction. */
  apart: Record<string, string[]>
  /** Workspaces of tests: they reach into every other one. */
  tests: string[]
}

interface Import {
  /** Paths from the root of the repository. */
  from: string
  to: string
}

/** Every import that points against the architecture, one sentence each. */
export function problemsIn(root: string, rules: Rules): string[] {
  const unknown = workspacesOf(root).filter((name) => !(name in rules.workspaces) && !rules.tests.includes(name))
  return [
    ...unknown.map(
      (name) => `${name}/: no rule says which workspaces it may import; add it to scripts/check-directions.ts`,
    ),
    ...Object.keys(rules.workspaces).flatMap((workspace) => problemsOfWorkspace(root, workspace, rules)),
    ...rules.tests.flatMap((workspace) => circles(relativeImports(root, join(root, workspace, 'src')))),
    ...sharedByTests(root),
  ]
}

/** A helper that tests of two workspaces import. */
function sharedByTests(root: string): string[] {
  const folders = readdirSync(root).filter((name) => existsSync(join(root, name, 'test')))
  return folders.flatMap((folder) =>
    relativeImports(root, join(root, folder, 'test'))
      .filter(({ to }) => /^[^/]+\/test\//.test(to) && !to.startsWith(`${folder}/`))
      .map(({ from, to }) => `${from}: imports ${to}: what several workspaces' tests share belongs in testing/`),
  )
}

const relativeImports = (root: string, folder: string): Import[] =>
  sourceFiles(folder).flatMap((file) =>
    importsOf(readFileSync(file, 'utf8'))
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => ({ from: pathIn(root, file), to: pathIn(root, resolve(dirname(file), specifier)) })),
  )

function problemsOfWorkspace(root: string, workspace: string, rules: Rules): string[] {
  const source = join(root, workspace, 'src')
  const manifest = join(root, workspace, 'package.json')
  if (!existsSync(source) || !existsSync(manifest)) return []
  const declared = new Set(Object.keys(JSON.parse(readFileSync(manifest, 'utf8')).dependencies ?? {}))
  const allowed = rules.workspaces[workspace] ?? []
  const problems: string[] = []
  const imports: Import[] = []
  for (const file of sourceFiles(source)) {
    for (const specifier of importsOf(readFileSync(file, 'utf8'))) {
      const problem = specifier.startsWith('.') ? undefined : packageProblem(workspace, allowed, declared, specifier)
      if (problem) problems.push(`${pathIn(root, file)}: imports ${specifier}: ${problem}`)
      if (specifier.startsWith('.')) {
        imports.push({ from: pathIn(root, file), to: pathIn(root, resolve(dirname(file), specifier)) })
      }
    }
  }
  const inside = imports.filter(({ to }) => to.startsWith(`${workspace}/src/`))
  return [
    ...problems,
    ...imports
      .filter((each) => !inside.includes(each))
      .map(({ from, to }) => `${from}: imports ${to}: leaves its workspace; import the package instead`),
    ...bandProblems(workspace, rules.bands[workspace] ?? [], inside),
    ...apartProblems(workspace, rules.apart[workspace] ?? [], inside),
    ...mutualFolders(inside),
    ...circles(inside),
  ]
}

function packageProblem(
  workspace: string,
  allowed: string[],
  declared: Set<string>,
  specifier: string,
): string | undefined {
  // Node's own parts, and what a build makes.
  if (/^(?:node|virtual):/.test(specifier)) return undefined
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
  if (builtinModules.includes(name)) return 'write it with the node: prefix'
  const target = name.replace(/^@hypocaust\//, '')
  if (target !== name && !allowed.includes(target))
    return `${workspace} may import only ${allowed.join(', ') || 'no workspace'}`
  return declared.has(name) ? undefined : `not among the dependencies of ${workspace}/package.json`
}

function bandProblems(workspace: string, bands: string[], imports: Import[]): string[] {
  if (bands.length === 0) return []
  const depthOf = (path: string): number => {
    const [first = '', ...rest] = path.slice(`${workspace}/src/`.length).split('/')
    return rest.length === 0 ? LOOSE : bands.indexOf(first) + 1 || NO_BAND
  }
  const stray = new Set(imports.map(({ from }) => from).filter((from) => depthOf(from) === NO_BAND))
  const order = `imports go downwards: ${bands.join(' → ')}`
  return [
    ...[...stray].map((from) => `${from}: stands in none of the bands ${bands.join(', ')}`),
    ...imports
      .filter(({ from, to }) => !stray.has(from) && depthOf(to) < depthOf(from))
      .map(({ from, to }) => `${from}: imports ${to}: ${order}`),
  ]
}

/** Depths beside those of the bands, which begin with 1. */
const LOOSE = 0
const NO_BAND = -1

function apartProblems(workspace: string, apart: string[], imports: Import[]): string[] {
  const of = (path: string) => apart.find((folder) => path.startsWith(`${workspace}/src/${folder}/`))
  return imports
    .filter(({ from, to }) => of(from) && of(to) && of(from) !== of(to))
    .map(({ from, to }) => `${from}: imports ${to}: ${of(from)}/ and ${of(to)}/ never meet`)
}

/** Two folders, neither inside the other, that import each other, with all that is in them. */
function mutualFolders(imports: Import[]): string[] {
  const between = new Map<string, Import>()
  for (const each of imports) {
    const pair = partingOf(each)
    if (pair) between.set(pair.join(' '), each)
  }
  return [...between].flatMap(([key, there]) => {
    const [a = '', b = ''] = key.split(' ')
    const back = between.get(`${b} ${a}`)
    return back && a < b
      ? [`${a}/ and ${b}/ import each other: ${there.from} → ${there.to}, ${back.from} → ${back.to}`]
      : []
  })
}

/** The folders at which the ways to the two files part; undefined where one file stands in a folder above the other. */
function partingOf({ from, to }: Import): [string, string] | undefined {
  const a = dirname(from).split('/')
  const b = dirname(to).split('/')
  const same = a.findIndex((name, i) => name !== b[i])
  if (same < 0 || same >= b.length) return undefined
  return [a.slice(0, same + 1).join('/'), b.slice(0, same + 1).join('/')]
}

/** Files that import each other, directly or by way of others: each circle once, by its shortest way round. */
function circles(imports: Import[]): string[] {
  const targets = new Map<string, Set<string>>()
  for (const { from, to } of imports) targets.set(from, (targets.get(from) ?? new Set()).add(to))
  const found = new Map<string, string>()
  for (const start of targets.keys()) {
    const way = shortestWayRound(start, targets)
    if (way) found.set([...way].sort().join(' '), `a circle of files: ${[...way, start].join(' → ')}`)
  }
  return [...found.values()]
}

function shortestWayRound(start: string, targets: Map<string, Set<string>>): string[] | undefined {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (const file of queue) {
    for (const next of targets.get(file) ?? []) {
      if (next === start) return wayTo(file, cameFrom)
      if (cameFrom.has(next)) continue
      cameFrom.set(next, file)
      queue.push(next)
    }
  }
  return undefined
}

function wayTo(file: string, cameFrom: Map<string, string>): string[] {
  const before = cameFrom.get(file)
  return before === undefined ? [file] : [...wayTo(before, cameFrom), file]
}

/** Static, dynamic and type imports, and re-exports. */
export function importsOf(text: string): string[] {
  const pattern =
    /(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s+['"]([^'"]+)['"]|(?:^|\n)\s*import\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]/g
  return [...text.matchAll(pattern)].map((match) => match.slice(1).find((part) => part !== undefined) ?? '')
}

function workspacesOf(root: string): string[] {
  const manifest = join(root, 'package.json')
  return existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')).workspaces ?? []) : []
}

function sourceFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') || name.endsWith('.tsx'))
    .map((name) => join(folder, name))
}

const pathIn = (root: string, file: string): string => relative(root, file).split(sep).join('/')
