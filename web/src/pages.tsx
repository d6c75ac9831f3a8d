import { withWords } from './i18n/languages.ts'
import { Layout } from './layout.tsx'
import { BrokenPage } from './pages/broken.tsx'
import { HomePage } from './pages/home.tsx'
import { NotFoundPage } from './pages/not-found.tsx'
import { addPages, type Page } from './routing/pages.ts'
import { Router } from './routing/router.tsx'
import { PageSkeleton } from './ui/awaited.tsx'

const page = (pattern: string, load: NonNullable<Page['load']>): Page => ({ pattern, load: withWords(load) })

addPages([
  { pattern: '/', component: HomePage },
  page('/buildings/$buildingId', () => import('./pages/building.tsx')),
  page('/buildings/$buildingId/setup', () => import('./pages/setup.tsx')),
  page('/buildings/$buildingId/settings', () => import('./pages/building-settings.tsx')),
  page('/buildings/$buildingId/record', () => import('./pages/record.tsx')),
  page('/buildings/$buildingId/house-report', () => import('./pages/house-report.tsx')),
  page('/buildings/$buildingId/balancing', () => import('./pages/balancing.tsx')),
  page('/buildings/$buildingId/screed', () => import('./pages/screed.tsx')),
  page('/buildings/$buildingId/members', () => import('./pages/members.tsx')),
  page('/buildings/$buildingId/changes', () => import('./pages/changes.tsx')),
  page('/buildings/$buildingId/energy', () => import('./pages/energy.tsx')),
  page('/buildings/$buildingId/presence', () => import('./pages/presence.tsx')),
  page('/buildings/$buildingId/calendars', () => import('./pages/calendars.tsx')),
  page('/buildings/new', () => import('./pages/new-building.tsx')),
  page('/rooms/$roomId', () => import('./pages/room.tsx')),
  page('/rooms/$roomId/settings', () => import('./pages/room-settings.tsx')),
  page('/rooms/$roomId/programme', () => import('./pages/programme.tsx')),
  page('/alerts', () => import('./pages/alerts.tsx')),
  page('/settings', () => import('./pages/settings.tsx')),
  page('/settings/notifications', () => import('./pages/notifications.tsx')),
  page('/settings/keys', () => import('./pages/keys.tsx')),
  page('/settings/apps', () => import('./pages/apps.tsx')),
  page('/settings/webhooks', () => import('./pages/webhooks.tsx')),
  page('/settings/security', () => import('./pages/security.tsx')),
])

export const Pages = () => (
  <Router
    frame={(shown) => <Layout>{shown}</Layout>}
    notFound={<NotFoundPage />}
    broken={<BrokenPage />}
    waiting={<PageSkeleton />}
  />
)
