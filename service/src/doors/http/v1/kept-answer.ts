import type { FastifyReply, FastifyRequest } from 'fastify'
import { JSON_UTF8 } from '../body.ts'
import type { RateLimits } from '../limits.ts'
import { chargeUnlessKnown } from './access.ts'

/** An answer as it is sent. */
export interface KeptAnswer {
  text: string
  tag: string
}

const asItIs = (text: string): string => text

/** Costs one, and nothing where the caller has it already. */
export async function sendKept(
  request: FastifyRequest,
  reply: FastifyReply,
  limits: RateLimits,
  { text, tag }: KeptAnswer,
  /** What it costs on top, asked only where it is charged. */
  onTop?: () => number,
): Promise<FastifyReply> {
  await chargeUnlessKnown(request, reply, limits, tag, onTop)
  return reply.headers({ 'content-type': JSON_UTF8, etag: tag }).serializer(asItIs).send(text)
}
