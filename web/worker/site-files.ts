import { PROGRAM_PATHS } from '@hypocaust/domain/facts'
import { scope } from './global.ts'

/** Put in by the build: every file of the website, as seen from the scope, and a name for exactly these contents. */
declare const SITE: { version: string; files: string[] }

/** Caches belong to a host, which may have other sites, and this one below several paths. */
const OWN_CACHES = `hypocaust ${scope} `
const CACHE = OWN_CACHES + SITE.version
/** Of the service worker that earlier versions had. */
const EARLIER_CACHE = `workbox-precache-v2-${scope}`

/** They differ by how they are compressed only, which the browser has undone. */
const IGNORE_VARY = { ignoreVary: true }

const FILES = new Set(SITE.files.map(addressOf))
const START_PAGE = addressOf('index.html')

/** All of them or none: a version that is not whole is not used. */
export async function storeSite(): Promise<void> {
  const cache = await caches.open(CACHE)
  for (const file of SITE.files) {
    const address = addressOf(file)
    // The name of these says what is in them: a version before may have brought them already.
    const isNamedByContent = file.startsWith('assets/')
    const stored = isNamedByContent ? await caches.match(address, IGNORE_VARY) : undefined
    const answer = stored ?? (await fetch(address, { cache: isNamedByContent ? 'default' : 'reload' }))
    if (!answer.ok) throw new Error(`${address} answered ${answer.status}`)
    await cache.put(address, answer)
  }
}

export async function removeEarlierSites(): Promise<void> {
  const names = await caches.keys()
  const isEarlier = (name: string) => name === EARLIER_CACHE || (name.startsWith(OWN_CACHES) && name !== CACHE)
  await Promise.all(names.filter(isEarlier).map((name) => caches.delete(name)))
}

/** The file that answers a request, if one of the website does: every page is drawn by the same one. */
export function siteFileFor({ url, mode }: Request): string | undefined {
  const [address = ''] = url.split('#')
  if (FILES.has(address)) return address
  const [first = ''] = address.slice(scope.length).split(/[/?]/)
  return mode === 'navigate' && !PROGRAM_PATHS.includes(first) ? START_PAGE : undefined
}

/** From the network where the browser has thrown it away. */
export async function answerOfSite(address: string, request: Request): Promise<Response> {
  const stored = await (await caches.open(CACHE)).match(address, IGNORE_VARY)
  return stored ?? fetch(request)
}

function addressOf(file: string): string {
  return new URL(file, scope).href
}
