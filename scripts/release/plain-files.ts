import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PUBLICATION } from './publication.ts'
import type { Release } from './release.ts'
import { ROOT, run } from './shell.ts'

const DEPLOY = join(ROOT, 'deploy')
const PROVIDER = ['compose.yaml', 'settings.env', 'haproxy.cfg', 'errors', 'mosquitto', 'prometheus', 'grafana']

/** The files that somebody with one house downloads by themselves. */
export function placeHouseFiles(destination: string, release: Release): void {
  const compose = readFileSync(join(DEPLOY, 'house/compose.yaml'), 'utf8')
  writeFileSync(join(destination, 'compose.yaml'), withImage(compose, release))
  const script = readFileSync(join(DEPLOY, 'raspberry-pi.sh'), 'utf8')
  writeFileSync(join(destination, 'raspberry-pi.sh'), script.replace(/^VERSION=.*$/m, `VERSION=${release.version}`), {
    mode: 0o755,
  })
}

/** What a provider starts from, in one archive: compose.yaml and the files that it and docs/provider.md use. */
export async function packProviderFiles(destination: string, release: Release): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'hypocaust-provider-'))
  const file = `hypocaust-provider-${release.version}.tar.gz`
  try {
    const top = join(folder, 'hypocaust-provider')
    for (const name of PROVIDER) cpSync(join(DEPLOY, name), join(top, name), { recursive: true, filter: isNoTest })
    cpSync(join(ROOT, 'LICENSE'), join(top, 'LICENSE'))
    writeFileSync(join(top, 'compose.yaml'), withImage(readFileSync(join(top, 'compose.yaml'), 'utf8'), release))
    const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner']
    await run('tar', [...same, '-czf', join(destination, file), '-C', folder, 'hypocaust-provider'])
    return file
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const isNoTest = (file: string): boolean => !/\.test\.\w+$/.test(file)

const withImage = (compose: string, { version }: Release): string =>
  compose.replaceAll(new RegExp(`${PUBLICATION.image}:\\S+`, 'g'), `${PUBLICATION.image}:${version}`)
