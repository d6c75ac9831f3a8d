import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { text } from 'node:stream/consumers'
import { GatewayError } from '../base/error.ts'

const TIMEOUT_MS = 15_000

export interface Answer {
  status: number
  body: string
}

/** One request: a question, or with `json` a message. `ca` is the authority to trust in place of the system's. */
export function exchange(url: URL, { json, ca }: { json?: unknown; ca?: string | null } = {}): Promise<Answer> {
  const payload = json === undefined ? undefined : JSON.stringify(json)
  const options = {
    method: payload === undefined ? 'GET' : 'POST',
    headers:
      payload === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    agent: false,
  } as const
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(new GatewayError(`${url.origin} cannot be reached: ${error.message}`))
    const isSecure = url.protocol === 'https:'
    const asking = isSecure ? requestSecure(url, { ...options, ...(ca && { ca }) }) : requestPlain(url, options)
    asking.on('error', fail)
    asking.on('response', (response) =>
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), fail),
    )
    asking.end(payload)
  })
}
