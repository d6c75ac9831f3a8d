import { boundedText } from '../../../base/bounded-text.ts'

/** The most that a source may answer with: a fortnight of quarter hours is a tenth of it. */
const MOST_BYTES = 5_000_000

/** The answer of a price source as text. The operator chose its address: a redirect elsewhere is not followed. */
export async function getText(url: URL, userAgent: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal, redirect: 'error', headers: { 'user-agent': userAgent } })
  if (!response.ok) throw new Error(`${url.origin} answered ${response.status}`)
  return boundedText(response, MOST_BYTES)
}

export async function getJson(url: URL, userAgent: string, signal: AbortSignal): Promise<unknown> {
  const text = await getText(url, userAgent, signal)
  try {
    return JSON.parse(text)
  } catch {
    throw unknownForm(url)
  }
}

export const unknownForm = (url: URL): Error => new Error(`${url.origin} answered in a form not known`)
