import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build, type Plugin } from 'vite'
import { BROWSERS } from './browsers.ts'

/** What the installed app needs without a connection. */
const STORED = '**/*.{js,css,html,svg,png,webmanifest,woff2}'

/** Builds the service worker when the website is written: it names every file of it. */
export function serviceWorker(source: string): Plugin {
  let folder = ''
  return {
    name: 'service-worker',
    apply: 'build',
    configResolved({ root, build: { outDir } }) {
      folder = resolve(root, outDir)
    },
    async writeBundle() {
      const files = globSync(STORED, { cwd: folder }).sort()
      const version = createHash('sha256')
      for (const file of files) version.update(file).update(readFileSync(join(folder, file)))
      await build({
        configFile: false,
        publicDir: false,
        logLevel: 'warn',
        define: { SITE: JSON.stringify({ version: version.digest('hex').slice(0, 16), files }) },
        build: {
          target: BROWSERS,
          outDir: folder,
          emptyOutDir: false,
          rolldownOptions: { input: source, output: { format: 'iife', entryFileNames: 'sw.js' } },
        },
      })
    },
  }
}
