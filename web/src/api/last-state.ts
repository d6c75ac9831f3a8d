/** What the service worker keeps for a time without a connection is of an account, and goes with it. */
export async function forgetLastState(): Promise<void> {
  if ('caches' in window) await caches.delete('last-state').catch(() => false)
}
