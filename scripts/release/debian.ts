import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { layOutCommand, layOutGateway } from './command.ts'
import { type Architecture, placeNode } from './node.ts'
import type { Package } from './notices.ts'
import { MAINTAINER, REPOSITORY_URL } from './publication.ts'
import type { Release } from './release.ts'
import { ROOT, run } from './shell.ts'

/** A finished package, and what it is made of. */
interface Deb {
  file: string
  parts: Package[]
}

interface Plan {
  name: string
  architecture: Architecture | 'all'
  depends: string[]
  /** One line, then the longer text. */
  description: [string, string]
  /** With a unit of its name, a user and a data folder. */
  isService: boolean
  fill(root: string): Promise<Package[]>
}

const DEBIAN = join(ROOT, 'deploy/debian')
const SYSTEMD = join(ROOT, 'deploy/systemd')

/** Node is a package of its own: the service and the agent on one machine share it. */
const nodePlan = (architecture: Architecture): Plan => ({
  name: 'hypocaust-node',
  architecture,
  depends: ['libc6 (>= 2.28)', 'libstdc++6', 'libatomic1'],
  description: ['Node.js for Hypocaust', 'The Node.js that Hypocaust is tested with, beside one of the system.'],
  isService: false,
  async fill(root) {
    mkdirSync(join(root, 'usr/lib/hypocaust'), { recursive: true })
    const licence = join(documentsOf(root, 'hypocaust-node'), 'LICENSE')
    await placeNode(architecture, join(root, 'usr/lib/hypocaust/node'), licence)
    await run('gzip', ['-9n', licence])
    return []
  },
})

const needsNode = (release: Release): string => `hypocaust-node (>= ${debianVersion(release)})`

const servicePlan = (release: Release): Plan => ({
  name: 'hypocaust',
  architecture: 'all',
  depends: [needsNode(release), 'adduser', 'ca-certificates'],
  description: [
    'floor-heating control for one house or many',
    'The service with its website and HTTP interface, and the command for it.',
  ],
  isService: true,
  async fill(root) {
    const library = join(root, 'usr/lib/hypocaust')
    const parts = await layOutCommand(library, release)
    await addManualPage(root, join(library, 'dist/js/hypocaust.js'))
    for (const name of ['bin', 'README.md']) rmSync(join(library, name), { recursive: true })
    place(root, join(DEBIAN, 'hypocaust.yaml'), 'etc/hypocaust/hypocaust.yaml')
    place(root, join(SYSTEMD, 'hypocaust@.service'), 'usr/lib/systemd/system/hypocaust@.service')
    return parts
  },
})

const gatewayPlan = (release: Release): Plan => ({
  name: 'hypocaust-gateway',
  architecture: 'all',
  depends: [needsNode(release), 'adduser', 'ca-certificates'],
  description: [
    'gateway agent of Hypocaust floor heating',
    'Reads the sensors of a building and works its valves, pump and boiler.',
  ],
  isService: true,
  fill: (root) => layOutGateway(join(root, 'usr/lib/hypocaust-gateway'), release),
})

/** Builds `hypocaust`, `hypocaust-gateway` and their Node for each architecture into a folder. */
export async function buildDebs(
  destination: string,
  release: Release,
  architectures: readonly Architecture[],
  level = 6,
): Promise<Deb[]> {
  const debs: Deb[] = []
  for (const plan of [...architectures.map(nodePlan), servicePlan(release), gatewayPlan(release)])
    debs.push(await build(plan, destination, debianVersion(release), level))
  return debs
}

/** In Debian's order `1.2.0~rc.1` comes before `1.2.0`. */
const debianVersion = ({ version }: Release): string => version.replace('-', '~')

async function build(plan: Plan, destination: string, version: string, level: number): Promise<Deb> {
  const root = mkdtempSync(join(tmpdir(), 'hypocaust-deb-'))
  try {
    const parts = await plan.fill(root)
    if (plan.isService) addService(root, plan.name)
    addDocuments(root, plan.name, version)
    await addControl(root, plan, version)
    await run('chmod', ['-R', 'u=rwX,go=rX', root])
    const file = `${plan.name}_${version}_${plan.architecture}.deb`
    await run('dpkg-deb', ['--root-owner-group', '-Zxz', `-z${level}`, '--build', root, join(destination, file)])
    return { file, parts }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function addService(root: string, name: string): void {
  place(root, join(SYSTEMD, `${name}.service`), `usr/lib/systemd/system/${name}.service`)
  place(root, join(DEBIAN, `${name}.js`), `usr/bin/${name}`)
  for (const script of ['postinst', 'prerm', 'postrm']) {
    const text = readFileSync(join(DEBIAN, script), 'utf8').replaceAll('@NAME@', name)
    write(root, `DEBIAN/${script}`, text, 0o755)
  }
}

async function addManualPage(root: string, program: string): Promise<void> {
  const page = await run(process.execPath, [program, 'man'])
  const folder = join(root, 'usr/share/man/man1')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'hypocaust.1.gz'), gzipSync(page, { level: 9 }))
}

/** Debian wants the licence, the notices and the changes of every package in one place. */
function addDocuments(root: string, name: string, version: string): void {
  const documents = documentsOf(root, name)
  const library = join(root, 'usr/lib', name)
  const isOurs = existsSync(join(library, 'LICENSE'))
  writeFileSync(join(documents, 'copyright'), isOurs ? OUR_LICENCE : NODE_LICENCE)
  if (isOurs) {
    const notices = readFileSync(join(library, 'THIRD-PARTY-NOTICES.txt'))
    writeFileSync(join(documents, 'THIRD-PARTY-NOTICES.txt.gz'), gzipSync(notices, { level: 9 }))
    for (const each of ['LICENSE', 'THIRD-PARTY-NOTICES.txt']) rmSync(join(library, each))
  }
  const entry = `${name} (${version}) stable; urgency=medium\n\n  * ${REPOSITORY_URL}/releases\n\n -- ${MAINTAINER}  Thu, 01 Jan 2026 00:00:00 +0000\n`
  writeFileSync(join(documents, 'changelog.gz'), gzipSync(entry, { level: 9 }))
  place(root, join(DEBIAN, `${name}.lintian-overrides`), `usr/share/lintian/overrides/${name}`)
}

const OUR_LICENCE = `Source: ${REPOSITORY_URL}

Copyright: the authors of Hypocaust
License: Apache-2.0, see /usr/share/common-licenses/Apache-2.0

The packages that are part of the program, and their licences, are listed in THIRD-PARTY-NOTICES.txt.gz beside this file.
`
const NODE_LICENCE = `Source: https://nodejs.org

Copyright: Node.js contributors
License: MIT

Its licence and those of its parts are in LICENSE.gz beside this file.
`

function documentsOf(root: string, name: string): string {
  const folder = join(root, 'usr/share/doc', name)
  mkdirSync(folder, { recursive: true })
  return folder
}

async function addControl(root: string, plan: Plan, version: string): Promise<void> {
  const [size = ''] = (await run('du', ['-sk', '--exclude=DEBIAN', root])).split('\t')
  const control = {
    Package: plan.name,
    Version: version,
    Architecture: plan.architecture,
    Maintainer: MAINTAINER,
    'Installed-Size': size,
    Depends: plan.depends.join(', '),
    Section: 'net',
    Priority: 'optional',
    Homepage: REPOSITORY_URL,
    Description: `${plan.description[0]}\n ${plan.description[1]}`,
  }
  const lines = Object.entries(control).map(([name, value]) => `${name}: ${value}`)
  write(root, 'DEBIAN/control', `${lines.join('\n')}\n`)
  if (existsSync(join(root, 'etc'))) {
    const files = (await run('find', ['etc', '-type', 'f'], root)).trim().split('\n')
    write(root, 'DEBIAN/conffiles', files.map((file) => `/${file}\n`).join(''))
  }
}

function place(root: string, from: string, to: string): void {
  mkdirSync(dirname(join(root, to)), { recursive: true })
  cpSync(from, join(root, to))
}

function write(root: string, to: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(root, to)), { recursive: true })
  writeFileSync(join(root, to), text, { mode })
}
