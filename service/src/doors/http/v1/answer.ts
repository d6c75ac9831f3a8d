import { COMMON_HEADERS } from '../incoming.ts'
import type { Budget, RateLimits } from '../limits.ts'
import { policyHeader } from './access.ts'
import { CORS_HEADERS } from './cors.ts'

/** An answer that is made before the framework. */
export interface Answer {
  status: number
  /** Names and values in turn. */
  headers: string[]
  fixed: FixedHeaders
  text: string
  /** Such a text can be sent without encoding it. */
  isAscii: boolean
}

/** Those that are the same in every answer of a kind: names and values in turn, and as they are sent. */
export interface FixedHeaders {
  headers: string[]
  lines: string
}

export function fixedHeaders(limits: RateLimits, budget: Budget, own: Record<string, string> = {}): FixedHeaders {
  const common = { ...COMMON_HEADERS, ...CORS_HEADERS, ...policyHeader(limits, budget) }
  const headers = Object.entries({ ...common, ...own }).flat()
  return { headers, lines: linesOf(headers) }
}

export function linesOf(headers: string[]): string {
  let lines = ''
  for (let i = 0; i < headers.length; i += 2) lines += `${headers[i]}: ${headers[i + 1]}\r\n`
  return lines
}
