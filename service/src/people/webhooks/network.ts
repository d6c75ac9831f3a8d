import type { WebhookProblem } from '@hypocaust/domain'
import { PostTimeout, post } from '../../base/post.ts'
import { acceptsAddress, guardOf, NotPublic, type Reach } from '../../base/public-address.ts'

/** What came of one attempt: a status, or why there was none. */
export type Answer = number | WebhookProblem

/** Where webhooks may be sent. */
export interface WebhookNetwork {
  /** Judged by the form of the address, when a webhook is added and before every attempt. */
  accepts(url: string): boolean
  post(url: string, headers: Record<string, string>, body: string, stopping?: AbortSignal): Promise<Answer>
}

/** By default only HTTPS and public addresses: a person with an account must not reach into the operator's network. */
export function webhookNetwork(reach: Reach): WebhookNetwork {
  const accepts = (url: string) => acceptsAddress(url, reach)
  return {
    accepts,
    post: async (url, headers, body, stopping) => {
      if (!accepts(url)) return 'address_not_allowed'
      return post(url, { headers, body, stopping, agent: false, ...guardOf(reach) }).catch(problemOf)
    },
  }
}

const problemOf = (error: unknown): WebhookProblem => {
  if (error instanceof PostTimeout) return 'timeout'
  return error instanceof NotPublic ? 'address_not_allowed' : 'unreachable'
}
