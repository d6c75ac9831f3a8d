import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { DOCUMENTATION, HACS_FILE, zipForHacs, zipIntegration } from '../release/home-assistant.ts'
import { PUBLICATION, pageUrl, REPOSITORY_URL } from '../release/publication.ts'
import { releaseOf } from '../release/release.ts'
import { ROOT } from '../release/shell.ts'

const jsonOf = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'))

test('a released integration has the version of the release and links into the repository it is published from', () => {
  const folder = temporaryFolder()
  const zip = zipIntegration(folder.path, releaseOf('7.8.9'))
  const files = unzipSync(readFileSync(join(folder.path, zip)))
  const manifest = JSON.parse(strFromU8(files['custom_components/hypocaust/manifest.json'] as Uint8Array))
  expect(manifest).toMatchObject({
    domain: 'hypocaust',
    version: '7.8.9',
    codeowners: [`@${PUBLICATION.owner}`],
    documentation: pageUrl(DOCUMENTATION),
    issue_tracker: `${REPOSITORY_URL}/issues`,
  })
  expect(existsSync(join(ROOT, DOCUMENTATION))).toBe(true)
  folder.remove()
})

test('the sources name the same repository as a release', () => {
  const { documentation, issue_tracker, codeowners } = jsonOf('custom_components/hypocaust/manifest.json')
  expect({ documentation, issue_tracker, codeowners }).toEqual({
    documentation: pageUrl(DOCUMENTATION),
    issue_tracker: `${REPOSITORY_URL}/issues`,
    codeowners: [`@${PUBLICATION.owner}`],
  })
})

test('HACS finds its archive by the name in hacs.json, with the files of the integration at its top', () => {
  const folder = temporaryFolder()
  zipForHacs(folder.path)
  expect(jsonOf('hacs.json')).toMatchObject({ zip_release: true, filename: HACS_FILE })
  const names = Object.keys(unzipSync(readFileSync(join(folder.path, HACS_FILE))))
  expect(names).toEqual(expect.arrayContaining(['manifest.json', '__init__.py', 'translations/de.json', 'LICENSE']))
  folder.remove()
})
