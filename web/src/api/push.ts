import type { Notifications } from '@hypocaust/domain'
import type { Language } from '../i18n/languages.ts'
import { recalled, remember } from '../i18n/recall.ts'
import { api } from './http.ts'

/** Whether this browser can show notifications, and if not, why. */
type PushAbility = 'ready' | 'insecure' | 'not_installed' | 'unsupported' | 'denied'

/** Whose alerts this browser has asked for: after signing in anew they go on, and nobody else's begin. */
const MEMORY = 'push-account'

export function pushAbility(): PushAbility {
  if (!window.isSecureContext) return 'insecure'
  if (!('PushManager' in window)) return isAppleTouch() && !isInstalled() ? 'not_installed' : 'unsupported'
  return Notification.permission === 'denied' ? 'denied' : 'ready'
}

const isAppleTouch = () =>
  /iPhone|iPad/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
const isInstalled = () => matchMedia('(display-mode: standalone)').matches

/** The browser asks the holder now, so this is only called on a click. */
export async function switchPushOn(key: string, accountId: string, language: Language): Promise<Notifications> {
  const { pushManager } = await navigator.serviceWorker.ready
  const kept = await pushManager.getSubscription()
  const subscription = kept ?? (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }))
  const added = await tell(subscription, language)
  remember(MEMORY, accountId)
  return added
}

/** Nothing more reaches this browser, whatever the service knows of it. */
export async function switchPushOff(): Promise<void> {
  remember(MEMORY, '')
  await (await subscriptionHere())?.unsubscribe()
}

export async function subscriptionHere(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker?.getRegistration()
  return (await registration?.pushManager?.getSubscription()) ?? null
}

/** Browsers change their addresses, sessions end, languages change: said again at every start. */
export async function renewPush(accountId: string, language: Language): Promise<void> {
  if (recalled(MEMORY) !== accountId) return
  const subscription = await subscriptionHere()
  if (subscription) await tell(subscription, language)
}

function tell(subscription: PushSubscription, language: Language): Promise<Notifications> {
  const { endpoint, keys } = subscription.toJSON()
  return api('PUT', '/notifications/devices', { endpoint, p256dh: keys?.p256dh, auth: keys?.auth, language })
}

/** What comes by mail is written in the language last chosen. */
export async function followLanguage(language: Language): Promise<void> {
  const { mail, muted, language: written } = await api<Notifications>('GET', '/notifications')
  if (written !== language) await api('PUT', '/notifications', { mail, muted, language })
}
