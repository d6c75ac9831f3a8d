import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { Plugin } from 'vite'
import { packagesOf, WEBSITE_PARTS } from '../../scripts/release/notices.ts'

/** Leaves the list of the packages in the website's scripts and styles for a release, which ships their licences. */
export function thirdParty(): Plugin {
  return {
    name: 'third-party',
    apply: 'build',
    writeBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((output) => (output.type === 'chunk' ? output.moduleIds : []))
      const files = modules.map((id) => id.replace(/^\0|\?.*$/g, ''))
      // Its rules are in the style sheet, which names no modules.
      files.push(createRequire(import.meta.url).resolve('tailwindcss/index.css'))
      mkdirSync(dirname(WEBSITE_PARTS), { recursive: true })
      writeFileSync(WEBSITE_PARTS, JSON.stringify(packagesOf(files)))
    },
  }
}
