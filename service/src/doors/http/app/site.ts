import type { FastifyRequest } from 'fastify'
import { originOf } from './access.ts'
import { requireOwnName } from './own-name.ts'

/** A link leads to where the operator says, else to where the person is; to a name of the internet only if the operator says so. */
export function siteOf(request: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/$/, '')
  requireOwnName(request, undefined)
  return originOf(request) + request.basePath
}
