import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { APP_IMAGE } from '../release/image.ts'
import { notesOf } from '../release/notes.ts'
import { placeholdersIn } from '../release/placeholders.ts'
import { packProviderFiles } from '../release/plain-files.ts'
import { APP_REPOSITORY_URL, PUBLICATION, REPOSITORY_URL } from '../release/publication.ts'
import { releaseOf } from '../release/release.ts'
import { ROOT } from '../release/shell.ts'
import { checkTools } from '../release/tools.ts'

test('an address that exists nowhere is found in the files of a release, and within its archives', async () => {
  const folder = temporaryFolder()
  const page = Buffer.from('See https://hypocaust.example/docs, or write to ada@example.org. schema.example is code.')
  writeFileSync(join(folder.path, 'page.md'), page)
  writeFileSync(join(folder.path, 'all.zip'), zipSync({ 'docs/page.md': page }))
  expect((await placeholdersIn(folder.path)).sort()).toEqual([
    'all.zip/docs/page.md: //hypocaust.example',
    'page.md/page.md: //hypocaust.example',
  ])
  folder.remove()
})

test('a provider is given what its compose.yaml starts, with the licence and without our tests', async () => {
  const folder = temporaryFolder()
  const archive = await packProviderFiles(folder.path, releaseOf('7.8.9'))
  const names = execFileSync('tar', ['-tf', join(folder.path, archive)], { encoding: 'utf8' }).split('\n')
  expect(names).toEqual(
    expect.arrayContaining(
      ['compose.yaml', 'LICENSE', 'prometheus/alerts.yaml'].map((name) => `hypocaust-provider/${name}`),
    ),
  )
  expect(names.filter((name) => name.includes('test'))).toEqual([])
  folder.remove()
})

test('what a release is built with is missed before anything is built, with the packages that bring it', () => {
  const nowhere = ['/nowhere']
  expect(() => checkTools(['deb'], nowhere)).toThrow(
    'a release is built with dpkg-deb, x86_64-linux-gnu-strip, aarch64-linux-gnu-strip, missing here. On Debian: apt-get install dpkg binutils-x86-64-linux-gnu binutils-aarch64-linux-gnu',
  )
  expect(() => checkTools(['npm', 'home-assistant'], nowhere)).not.toThrow()
})

test('release notes are the section of the version, or what is not released yet', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n- new\n\n## 1.0.0 - 2026-01-01\n\n- old\n'
  expect(notesOf(changelog, '1.0.0')).toBe('# Hypocaust 1.0.0\n\n- old\n')
  expect(notesOf(changelog, '1.1.0')).toBe('# Hypocaust 1.1.0\n\n- new\n')
  expect(() => notesOf('# Changelog\n', '1.0.0')).toThrow('neither')
})

test('a version that is not semantic is refused', () => {
  expect(releaseOf('1.2.0-rc.1').version).toBe('1.2.0-rc.1')
  for (const version of ['1.2', 'v1.2.0', '1.2.0-', 'latest']) expect(() => releaseOf(version)).toThrow('semantic')
})

/** Pages and files that name where a release is published, as people copy them. */
const NAMING = execFileSync('git', ['ls-files', 'README.md', 'docs', 'deploy', '.github', 'scripts/release'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(md|ya?ml|sh)$/.test(file))

test('every page and file names the repository, the images and the version of this release', () => {
  const { version } = releaseOf()
  const wrong = NAMING.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    const addresses = text.match(/https:\/\/github\.com\/hypocaust\/[\w-]+/g) ?? []
    const images = [...text.matchAll(/ghcr\.io\/([\w./-]+)(?::([\w.-]+))?/g)]
    const versions = [...text.matchAll(/(?:releases\/download\/v|^VERSION=)(\d[\w.-]*)/gm)].map(([, found]) => found)
    return [
      ...addresses.filter((each) => each !== REPOSITORY_URL && each !== APP_REPOSITORY_URL),
      ...images.filter(([, name]) => ![PUBLICATION.image, APP_IMAGE].includes(`ghcr.io/${name}`)).map(([all]) => all),
      ...images.filter(([, , tag]) => tag !== undefined && tag !== version).map(([all]) => all),
      ...versions.filter((each) => each !== version),
    ].map((found) => `${file}: ${found}`)
  })
  expect(NAMING.length).toBeGreaterThan(20)
  expect(wrong).toEqual([])
})
