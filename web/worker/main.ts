// The service worker: the website without a connection, and notifications.
import { scope, worker } from './global.ts'
import { isKept } from './kept.ts'
import { answerOrLastState, keep, openLastState } from './last-state.ts'
import { openPage, showNotification } from './push.ts'
import { answerOfSite, removeEarlierSites, siteFileFor, storeSite } from './site-files.ts'

// A new version serves pages that are open as well: what they load next is of the service as it is now.
worker.addEventListener('install', (event) => event.waitUntil(storeSite().then(() => worker.skipWaiting())))
worker.addEventListener('activate', (event) => event.waitUntil(removeEarlierSites().then(() => worker.clients.claim())))

worker.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET') return
  const file = siteFileFor(request)
  if (file) return event.respondWith(answerOfSite(file, request))
  if (!isKept(request, scope)) return
  const opened = openLastState()
  const answer = fetch(request)
  // Also what comes too late to be shown is kept; a full disk keeps nothing.
  event.waitUntil(answer.then((received) => keep(request, received, opened)).catch(() => undefined))
  event.respondWith(answerOrLastState(event, answer))
})

worker.addEventListener('push', (event) => event.waitUntil(showNotification(event)))
worker.addEventListener('notificationclick', (event) => event.waitUntil(openPage(event)))
