// Part of the service worker: shows what the service has to tell, and opens the page it is about.
self.addEventListener('push', (event) => {
  const { title, body, path, tag } = event.data.json()
  const look = { body, tag, icon: 'icon-192.png', badge: 'icon-192.png', data: { path } }
  event.waitUntil(self.registration.showNotification(title, look))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const url = new URL(`.${event.notification.data?.path ?? '/'}`, self.registration.scope)
  if (url.href.startsWith(self.registration.scope)) event.waitUntil(show(url.href))
})

/** In a window that is open already, else in a new one. */
async function show(href) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  for (const open of windows) {
    try {
      await open.navigate(href)
      return await open.focus()
    } catch {
      // A window that this worker does not control cannot be led elsewhere.
    }
  }
  return self.clients.openWindow(href)
}
