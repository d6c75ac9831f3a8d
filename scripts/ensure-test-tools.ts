// What the tests need beside Node: found, installed where that is possible without asking, or named.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { CHROMIUM, findProgram, inPath } from './programs.ts'

interface Tool {
  name: string
  /** One of these in one of the places, and it is there. */
  programs: string[]
  /** Debian's packages that bring it. */
  packages: string[]
}

const TOOLS: Tool[] = [
  { name: 'Chromium', programs: CHROMIUM, packages: ['chromium', 'chromium-headless-shell'] },
  { name: 'Mosquitto', programs: ['mosquitto'], packages: ['mosquitto'] },
  { name: 'HAProxy', programs: ['haproxy'], packages: ['haproxy'] },
  { name: 'Python', programs: ['python3'], packages: ['python3'] },
  { name: 'Python’s jsonschema', programs: ['jsonschema'], packages: ['python3-jsonschema'] },
  { name: 'mypy', programs: ['mypy'], packages: ['mypy'] },
  { name: 'promtool', programs: ['promtool'], packages: ['prometheus'] },
  { name: 'PgBouncer', programs: ['pgbouncer'], packages: ['pgbouncer'] },
  { name: 'PostgreSQL', programs: ['initdb'], packages: ['postgresql'] },
  { name: 'the Mosquitto clients', programs: ['mosquitto_pub'], packages: ['mosquitto-clients'] },
]

/** For `npm run test:browsers` only. */
const BROWSERS: Tool[] = [
  { name: 'Firefox', programs: ['firefox-esr', 'firefox'], packages: ['firefox-esr'] },
  { name: 'WebKitGTK', programs: ['WebKitWebDriver'], packages: ['webkit2gtk-driver'] },
  { name: 'a virtual screen', programs: ['xvfb-run'], packages: ['xvfb', 'xauth'] },
]

/** For `npm run test:install` only. */
const INSTALL: Tool[] = [
  { name: 'mmdebstrap', programs: ['mmdebstrap'], packages: ['mmdebstrap'] },
  { name: 'Buildah', programs: ['buildah'], packages: ['buildah'] },
  { name: 'lintian', programs: ['lintian'], packages: ['lintian'] },
  { name: 'binutils', programs: ['strip'], packages: ['binutils'] },
  { name: 'iproute2', programs: ['ip'], packages: ['iproute2'] },
  { name: 'ShellCheck', programs: ['shellcheck'], packages: ['shellcheck'] },
  { name: 'systemd-analyze', programs: ['systemd-analyze'], packages: ['systemd'] },
]

const FURTHER: Record<string, Tool[]> = { browsers: BROWSERS, install: INSTALL }

/** Debian keeps servers out of an ordinary user's PATH, and PostgreSQL's in a folder per version. */
const POSTGRESQL = '/usr/lib/postgresql'
const places = () => [
  ...inPath(),
  '/usr/sbin',
  '/usr/local/sbin',
  ...(existsSync(POSTGRESQL) ? readdirSync(POSTGRESQL).map((version) => join(POSTGRESQL, version, 'bin')) : []),
]

const tools = [...TOOLS, ...(FURTHER[process.argv[2] ?? ''] ?? [])]
let missing = tools.filter((tool) => !isThere(tool))
if (missing.length > 0 && mayInstall()) {
  install(missing.flatMap(({ packages }) => packages))
  missing = missing.filter((tool) => !isThere(tool))
}
if (missing.length > 0) {
  const names = missing.map(({ name }) => name).join(', ')
  const packages = missing.flatMap((tool) => tool.packages).join(' ')
  const isForbidden = process.env.CI === 'true'
  console.error(
    `${isForbidden ? 'Missing' : 'Tests that need it will be skipped; missing'}: ${names}. On Debian: apt-get install ${packages}`,
  )
  if (isForbidden) process.exitCode = 1
}

function isThere({ programs }: Tool): boolean {
  return findProgram(programs, places()) !== undefined
}

function mayInstall(): boolean {
  const isRoot = process.getuid?.() === 0
  return isRoot && existsSync('/etc/debian_version') && process.env.HYPOCAUST_NO_INSTALL !== '1'
}

function install(packages: string[]): void {
  console.error(`Installing for the tests: ${packages.join(', ')} (HYPOCAUST_NO_INSTALL=1 forbids it)`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [
    ['update', '-q'],
    ['install', '-q', '-y', '--no-install-recommends', ...packages],
  ]) {
    const { status } = spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
    if (status !== 0) {
      console.error(`apt-get ${args[0]} ended with ${status}`)
      return
    }
  }
}
