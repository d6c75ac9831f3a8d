import type { FastifyInstance } from 'fastify'
import { errors, type ServiceError } from '../../../base/errors.ts'
import type { Budget, RateLimits } from '../limits.ts'
import { announce, budgetOf } from './access.ts'
import { CORS_HEADERS } from './cors.ts'

/** A request that has passed every check so far. */
export interface Asked {
  method: string
  url: string
  requestId: string
  budget: Budget
}

export type Refusal = { kind: '401' } | { kind: '429'; retryAfterS: number } | { kind: '503' }

export interface Fault {
  /** All that is not as it should be, for the header; empty on a good moment. */
  marks: string[]
  refusal: Refusal | null
}

/** Decides how each good request fares. Only a caller in code can bring one along: no setting does. */
export type FaultPlan = (asked: Asked) => Promise<Fault>

const FAULT_HEADER = 'x-hypocaust-fault'
const EXPOSED = 'access-control-expose-headers'

/** Refuses in the form of the real refusal, and says in a header that it was arranged. */
export function injectFaults(v1: FastifyInstance, limits: RateLimits, plan: FaultPlan): void {
  v1.addHook('onRequest', async (request, reply) => {
    const { method, url, id: requestId, issuer } = request
    const budget = budgetOf(request)
    const { marks, refusal } = await plan({ method, url, requestId, budget })
    if (marks.length === 0) return
    reply.header(FAULT_HEADER, marks.join(', ')).header(EXPOSED, `${CORS_HEADERS[EXPOSED]}, ${FAULT_HEADER}`)
    if (refusal === null) return
    if (refusal.kind === '401') reply.removeHeader('ratelimit')
    if (refusal.kind === '429')
      announce(reply, limits, budget, { remaining: 0, resetS: refusal.retryAfterS, exceeded: true })
    throw errorOf(refusal, issuer)
  })
}

function errorOf(refusal: Refusal, issuer: string): ServiceError {
  switch (refusal.kind) {
    case '401':
      return errors.invalidApiKey(issuer)
    case '429':
      return errors.rateLimited(refusal.retryAfterS)
    case '503':
      return errors.unavailable()
  }
}
