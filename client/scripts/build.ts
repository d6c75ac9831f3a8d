// Makes client/dist, or the folder given, the package as it is published: JavaScript, types, README, licence.
import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const here = resolve(import.meta.dirname, '..')
const dist = resolve(process.argv[2] ?? join(here, 'dist'))

rmSync(dist, { recursive: true, force: true })
execFileSync(
  process.execPath,
  [resolve(here, '../node_modules/typescript/bin/tsc'), '--project', join(here, 'tsconfig.json'), '--outDir', dist],
  {
    stdio: 'inherit',
  },
)
const { private: _, scripts: __, ...manifest } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
const published = {
  ...manifest,
  sideEffects: false,
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  publishConfig: { access: 'public' },
}
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
copyFileSync(join(here, 'README.md'), join(dist, 'README.md'))
copyFileSync(resolve(here, '../LICENSE'), join(dist, 'LICENSE'))
