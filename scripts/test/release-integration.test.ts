import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { DOCUMENTATION, zipIntegration } from '../release/home-assistant.ts'
import { ROOT } from '../release/shell.ts'

test('the links of a released integration lead into the repository it is published from', () => {
  const folder = temporaryFolder()
  const zip = zipIntegration(folder.path, 'https://forge.example/heating/hypocaust')
  const files = unzipSync(readFileSync(join(folder.path, zip)))
  const manifest = JSON.parse(strFromU8(files['custom_components/hypocaust/manifest.json'] as Uint8Array))
  expect(manifest).toMatchObject({
    domain: 'hypocaust',
    documentation: `https://forge.example/heating/hypocaust/blob/main/${DOCUMENTATION}`,
    issue_tracker: 'https://forge.example/heating/hypocaust/issues',
  })
  expect(existsSync(join(ROOT, DOCUMENTATION))).toBe(true)
  folder.remove()
})
