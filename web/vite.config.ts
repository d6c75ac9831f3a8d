import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROGRAM_PATHS } from '@hypocaust/domain/facts'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { BROWSERS } from './build/browsers.ts'
import { serviceWorker } from './build/service-worker.ts'
import { sizeBudget } from './build/size-budget.ts'
import { thirdParty } from './build/third-party.ts'
import { newsIn } from './build/whats-new.ts'
import { words } from './build/words.ts'

/** In development these come from the service, which expects the page's own Host beside its Origin. */
const SERVICE = `http://127.0.0.1:${process.env.HYPOCAUST_PORT ?? 8080}`
const SERVICE_PATHS = PROGRAM_PATHS.map((path) => `/${path}`)

/** Compressed script of the first page, its words in one language included. */
const FIRST_PAGE_KB = 120

/** What is new is in the page itself: no other host is asked. */
const NEWS = newsIn(readFileSync(join(import.meta.dirname, '../CHANGELOG.md'), 'utf8'))

export default defineConfig({
  root: import.meta.dirname,
  define: { WHATS_NEW: JSON.stringify(NEWS) },
  build: {
    target: BROWSERS,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // What every page loads is one file. Left to itself, each part that a later page shares would be a request of its own.
    // How large it may be, `sizeBudget` says.
    chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'initial', tags: ['$initial'] }] } } },
  },
  // Relative to each other; what index.html names from the root, the service puts below another path where it must.
  experimental: { renderBuiltUrl: (_file, { hostType }) => (hostType === 'html' ? undefined : { relative: true }) },
  server: { proxy: Object.fromEntries(SERVICE_PATHS.map((path) => [path, { target: SERVICE, changeOrigin: false }])) },
  plugins: [
    react(),
    tailwindcss(),
    words(),
    serviceWorker(join(import.meta.dirname, 'worker/main.ts')),
    sizeBudget({ initialKb: FIRST_PAGE_KB }),
    thirdParty(),
  ],
})
