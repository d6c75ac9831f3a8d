import { request as httpRequest, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'

const TIMEOUT_MS = 15_000

/** No answer within the time that is given to it. */
export class PostTimeout extends Error {}

interface Post extends Pick<RequestOptions, 'agent' | 'lookup'> {
  headers: Record<string, string>
  body: Buffer | string
  stopping?: AbortSignal | undefined
}

/**
 * The status of what a stranger answers. Nothing else of the answer is read, as it may be endless, and redirects are not
 * followed. It settles whatever the stranger does: a connection that goes over to another protocol has no answer.
 */
export function post(url: string, { headers, body, stopping, ...options }: Post): Promise<number> {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const signal = stopping ? AbortSignal.any([timeout, stopping]) : timeout
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { ...options, method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) }, signal },
      (answer) => {
        resolve(answer.statusCode ?? 0)
        answer.on('error', () => undefined)
        answer.destroy()
      },
    )
    sent.on('error', (error) =>
      reject(timeout.aborted ? new PostTimeout('no answer in time', { cause: error }) : error),
    )
    sent.on('close', () => reject(new Error('the connection ended without an answer')))
    sent.end(body)
  })
}
