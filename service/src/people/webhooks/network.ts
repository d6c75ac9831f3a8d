import { request as httpRequest, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import type { WebhookProblem } from '@hypocaust/domain'
import { isPublicAddress, isPublicName, NotPublic, publicLookup } from '../notify/public-address.ts'

/** What came of one attempt: a status, or why there was none. */
export type Answer = number | WebhookProblem

/** Where webhooks may be sent. */
export interface WebhookNetwork {
  /** Judged by the form of the address, when a webhook is added and before every attempt. */
  accepts(url: string): boolean
  post(url: string, headers: Record<string, string>, body: string, stopping?: AbortSignal): Promise<Answer>
}

const TIMEOUT_MS = 15_000

/** By default only HTTPS and public addresses: a person with an account must not reach into the operator's network. */
export function webhookNetwork({ privateAddresses }: { privateAddresses: boolean }): WebhookNetwork {
  const accepts = (url: string) => isAddress(url) && (privateAddresses || isPublicUrl(new URL(url)))
  return {
    accepts,
    // An address that is written as a number is never looked up, so its form is judged again.
    post: async (url, headers, body, stopping) =>
      accepts(url)
        ? post(url, { headers, ...(!privateAddresses && { lookup: publicLookup }) }, body, stopping)
        : 'address_not_allowed',
  }
}

function isAddress(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, username, password } = new URL(url)
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
}

function isPublicUrl({ protocol, hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return protocol === 'https:' && (isIP(host) === 0 ? isPublicName(host) : isPublicAddress(host))
}

/** Only the status is read: a stranger's answer may be endless. Redirects are not followed. */
function post(
  url: string,
  options: Pick<RequestOptions, 'headers' | 'lookup'>,
  body: string,
  stopping?: AbortSignal,
): Promise<Answer> {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const signal = stopping ? AbortSignal.any([timeout, stopping]) : timeout
  const headers = { ...options.headers, 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve) => {
    const sent = request(url, { ...options, headers, method: 'POST', agent: false, signal }, (answer) => {
      resolve(answer.statusCode ?? 0)
      answer.on('error', () => undefined)
      answer.destroy()
    })
    sent.on('error', (error) => resolve(problemOf(error, timeout)))
    sent.end(body)
  })
}

const problemOf = (error: Error, timeout: AbortSignal): WebhookProblem => {
  if (timeout.aborted) return 'timeout'
  return error instanceof NotPublic ? 'address_not_allowed' : 'unreachable'
}
