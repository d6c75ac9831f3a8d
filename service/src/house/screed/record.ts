import { createPrivateKey, createPublicKey, hash, hkdfSync, type KeyObject, sign } from 'node:crypto'
import type { ScreedRecord } from '@hypocaust/domain'
import type { ScreedRun } from '../loop-run/screed-run.ts'
import type { Entry } from './entries.ts'

export type Link = ScreedRecord['entries'][number]

const FORMAT = 'hypocaust-screed-record-1'

const hashOf = (before: string, text: string): string => hash('sha256', `${before}\n${text}`, 'hex')

/** The entries as the next links of the chain, and the run with its new end. */
export function chained(run: ScreedRun, entries: readonly Entry[]): { run: ScreedRun; links: Link[] } {
  const links: Link[] = []
  let { hash: before, entries: n } = run.head
  for (const entry of entries) {
    const text = JSON.stringify(entry)
    before = hashOf(before, text)
    links.push({ n: n++, text, hash: before })
  }
  return { run: { ...run, head: { entries: n, hash: before } }, links }
}

/** The first link that does not follow from the one before it; null where each does. */
export function brokenAt(links: readonly Link[]): number | null {
  let before = ''
  for (const [i, link] of links.entries()) {
    if (link.n !== i || link.hash !== hashOf(before, link.text)) return i
    before = link.hash
  }
  return null
}

/** Whether there is time between start and end of which no entry speaks. A gap that the record names is none. */
export function hasGap(links: readonly Link[]): boolean {
  const entries = links.map(({ text }) => JSON.parse(text) as Entry)
  let knownUntil = entries.find(({ kind }) => kind === 'started')?.at
  for (const entry of entries) {
    if (entry.kind !== 'measured' && entry.kind !== 'gap') continue
    if (entry.from !== knownUntil) return true
    knownUntil = entry.at
  }
  const end = entries.find(({ kind }) => kind === 'ended')
  return end !== undefined && end.at !== knownUntil
}

export const isEnded = (links: readonly Link[]): boolean => {
  const last = links.at(-1)
  return last !== undefined && (JSON.parse(last.text) as Entry).kind === 'ended'
}

/** PKCS #8 around the 32 bytes of an Ed25519 key. */
const PKCS8_START = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The key of this service for records: the same in every process that has its secret. */
function keyOf(authSecret: string): KeyObject {
  const seed = Buffer.from(hkdfSync('sha256', authSecret, '', 'screed records', 32))
  return createPrivateKey({ key: Buffer.concat([PKCS8_START, seed]), format: 'der', type: 'pkcs8' })
}

/** Binds the whole chain to this service: what is signed names its length and its last hash. */
export function signed(authSecret: string, id: string, links: readonly Link[]): ScreedRecord['signature'] {
  const key = keyOf(authSecret)
  const text = `${FORMAT} ${id} ${links.length} ${links.at(-1)?.hash ?? ''}`
  return {
    algorithm: 'Ed25519',
    public_key: createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
    signed: text,
    value: sign(null, Buffer.from(text), key).toString('base64'),
  }
}
