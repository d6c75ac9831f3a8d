import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BASE } from './api/base.ts'
import { checkConnection } from './api/freshness.ts'
import { queryClient, sessionQuery } from './api/queries.ts'
import { App } from './app.tsx'
import './app.css'
import { repairBrowserLanguage } from './i18n/browser-language.ts'
import { loadFirstWords } from './i18n/languages.ts'
import { WordsProvider } from './i18n/provider.tsx'
import { awaitInstallOffer } from './ui/install.ts'

repairBrowserLanguage()
awaitInstallOffer()

// After an update of the service the parts of an open page are gone; the new ones come with a reload, once for each
// update. Without a connection a reload would leave nothing.
const RELOADED = 'reloaded-for-update'
const ONCE_EVERY_MS = 60_000
addEventListener('vite:preloadError', async () => {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < ONCE_EVERY_MS || !(await checkConnection())) return
  sessionStorage.setItem(RELOADED, String(Date.now()))
  location.reload()
})

// Who is signed in is asked for while the words are on their way.
void queryClient.prefetchQuery(sessionQuery)

const place = document.getElementById('app')
loadFirstWords().then(
  () =>
    place &&
    createRoot(place).render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <WordsProvider>
            <App />
          </WordsProvider>
        </QueryClientProvider>
      </StrictMode>,
    ),
  // public/start.js says so, and tries again.
  () => dispatchEvent(new Event('not-loaded')),
)

// A browser grants it only over HTTPS, or on the machine itself.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  addEventListener('load', () => void navigator.serviceWorker.register(`${BASE}/sw.js`).catch(() => undefined))
}
