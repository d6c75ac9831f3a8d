import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/queries.ts'
import { App } from './app.tsx'
import './app.css'
import { WordsProvider } from './i18n/provider.tsx'

const place = document.getElementById('app')
if (place) {
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <WordsProvider>
          <App />
        </WordsProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
}

// A browser grants it only over HTTPS, or on the machine itself.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  addEventListener('load', () => void navigator.serviceWorker.register('/sw.js').catch(() => undefined))
}
