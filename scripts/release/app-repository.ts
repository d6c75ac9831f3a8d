import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDocument, stringify } from 'yaml'
import { APP_IMAGE } from './image.ts'
import { notesOf } from './notes.ts'
import { APP_REPOSITORY_URL, MAINTAINER, REPOSITORY_URL } from './publication.ts'
import type { Release } from './release.ts'
import { ROOT } from './shell.ts'

const APP = join(ROOT, 'deploy/home-assistant-app')

/** The folder that is pushed as the repository of Home Assistant's app. */
export function layOutAppRepository(folder: string, release: Release): void {
  const app = join(folder, 'hypocaust')
  mkdirSync(app, { recursive: true })
  writeFileSync(
    join(folder, 'repository.yaml'),
    stringify({ name: 'Hypocaust', url: APP_REPOSITORY_URL, maintainer: MAINTAINER }),
  )
  writeFileSync(
    join(folder, 'README.md'),
    `# Hypocaust for Home Assistant\n\nApps of ${REPOSITORY_URL}, made by its release.\n`,
  )
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  const config = parseDocument(readFileSync(join(APP, 'config.yaml'), 'utf8'))
  config.set('version', release.version)
  config.set('url', REPOSITORY_URL)
  config.set('image', APP_IMAGE)
  writeFileSync(join(app, 'config.yaml'), config.toString())
  for (const name of ['DOCS.md', 'translations', 'apparmor.txt', 'icon.png', 'logo.png'])
    cpSync(join(APP, name), join(app, name), { recursive: true })
  writeFileSync(join(app, 'CHANGELOG.md'), notesOf(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), release.version))
}
