import { scope, worker } from './global.ts'

/** Shows what the service has to tell. */
export async function showNotification({ data }: PushEvent): Promise<void> {
  const { title, body, path, tag } = (data as PushMessageData).json()
  const look = { body, tag, icon: 'icon-192.png', badge: 'icon-192.png', data: { path } }
  await worker.registration.showNotification(title, look)
}

/** Opens the page it is about. */
export async function openPage({ notification }: NotificationEvent): Promise<void> {
  notification.close()
  const { href } = new URL(`.${notification.data?.path ?? '/'}`, scope)
  if (href.startsWith(scope)) await show(href)
}

/** In a window that is open already, else in a new one. */
async function show(href: string): Promise<void> {
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  for (const open of windows) {
    try {
      await open.navigate(href)
      await open.focus()
      return
    } catch {
      // A window that this worker does not control cannot be led elsewhere.
    }
  }
  await worker.clients.openWindow(href)
}
