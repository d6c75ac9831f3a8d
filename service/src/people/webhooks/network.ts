import { isIP } from 'node:net'
import type { WebhookProblem } from '@hypocaust/domain'
import { PostTimeout, post } from '../notify/post.ts'
import { isPublicAddress, isPublicName, NotPublic, publicLookup } from '../notify/public-address.ts'

/** What came of one attempt: a status, or why there was none. */
export type Answer = number | WebhookProblem

/** Where webhooks may be sent. */
export interface WebhookNetwork {
  /** Judged by the form of the address, when a webhook is added and before every attempt. */
  accepts(url: string): boolean
  post(url: string, headers: Record<string, string>, body: string, stopping?: AbortSignal): Promise<Answer>
}

/** By default only HTTPS and public addresses: a person with an account must not reach into the operator's network. */
export function webhookNetwork({ privateAddresses }: { privateAddresses: boolean }): WebhookNetwork {
  const accepts = (url: string) => isAddress(url) && (privateAddresses || isPublicUrl(new URL(url)))
  return {
    accepts,
    // An address that is written as a number is never looked up, so its form is judged again.
    post: async (url, headers, body, stopping) => {
      if (!accepts(url)) return 'address_not_allowed'
      const guarded = privateAddresses ? {} : { lookup: publicLookup }
      return post(url, { headers, body, stopping, agent: false, ...guarded }).catch(problemOf)
    },
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

const problemOf = (error: unknown): WebhookProblem => {
  if (error instanceof PostTimeout) return 'timeout'
  return error instanceof NotPublic ? 'address_not_allowed' : 'unreachable'
}
