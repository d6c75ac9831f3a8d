// Makes client/dist, or the folder given, the package as it is published: JavaScript, types, README, licence. A second
// argument is the version of the release.
import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const here = resolve(import.meta.dirname, '..')
const dist = resolve(process.argv[2] ?? join(here, 'dist'))

rmSync(dist, { recursive: true, force: true })
compileTo(dist)
// The same once more for those that load it with require().
const commonJs = join(dist, 'cjs')
compileTo(commonJs, '--module', 'commonjs', '--moduleResolution', 'bundler', '--verbatimModuleSyntax', 'false')
writeFileSync(join(commonJs, 'package.json'), '{ "type": "commonjs" }\n')
const { private: _, scripts: __, ...manifest } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
const published = {
  ...manifest,
  version: process.argv[3] ?? manifest.version,
  sideEffects: false,
  main: './cjs/index.js',
  types: './cjs/index.d.ts',
  exports: {
    '.': {
      import: { types: './index.d.ts', default: './index.js' },
      require: { types: './cjs/index.d.ts', default: './cjs/index.js' },
    },
  },
  publishConfig: { access: 'public' },
}
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
copyFileSync(join(here, 'README.md'), join(dist, 'README.md'))
copyFileSync(resolve(here, '../LICENSE'), join(dist, 'LICENSE'))

function compileTo(folder: string, ...flags: string[]): void {
  const compiler = resolve(here, '../node_modules/typescript/bin/tsc')
  const project = ['--project', join(here, 'tsconfig.json'), '--outDir', folder]
  execFileSync(process.execPath, [compiler, ...project, ...flags], { stdio: 'inherit' })
}
