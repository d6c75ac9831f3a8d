import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { BROWSERS } from './build/browsers.ts'
import { sizeBudget } from './build/size-budget.ts'
import { isKept, keptUnder } from './service-worker.ts'

const DAY_S = 86_400

/** In development these come from the service, which expects the page's own Host beside its Origin. */
const SERVICE = `http://127.0.0.1:${process.env.HYPOCAUST_PORT ?? 8080}`
const SERVICE_PATHS = ['/app', '/v1', '/docs', '/openapi.json', '/health', '/mcp']

export default defineConfig({
  root: import.meta.dirname,
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
    VitePWA({
      // The page registers it itself: nothing runs inline.
      injectRegister: false,
      registerType: 'autoUpdate',
      manifest: {
        name: 'Hypocaust',
        short_name: 'Hypocaust',
        description: 'Floor heating, room by room.',
        start_url: './',
        scope: './',
        display: 'standalone',
        background_color: '#121315',
        theme_color: '#121315',
        icons: [
          { src: 'icon-192.png', sizes: '192x192', type: 'image/png' },
          { src: 'icon-512.png', sizes: '512x512', type: 'image/png' },
          { src: 'icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
        ],
      },
      workbox: {
        globPatterns: ['**/*.{js,css,html,svg,png,webmanifest,woff2}'],
        navigateFallback: 'index.html',
        // Below whatever path the site is: none of its own pages has such a part.
        navigateFallbackDenylist: [/\/(?:v1|app|health|metrics|openapi\.json|docs|mcp)(?:\/|$)/],
        inlineWorkboxRuntime: true,
        importScripts: ['push-worker.js'],
        runtimeCaching: [
          {
            urlPattern: isKept,
            handler: 'NetworkFirst',
            options: {
              cacheName: 'last-state',
              networkTimeoutSeconds: 5,
              expiration: { maxEntries: 200, maxAgeSeconds: 14 * DAY_S },
              cacheableResponse: { statuses: [200] },
              plugins: [{ cacheKeyWillBeUsed: keptUnder }],
            },
          },
        ],
      },
    }),
    sizeBudget({ initialKb: 200 }),
  ],
})
