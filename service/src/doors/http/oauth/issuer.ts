import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** The address under which apps know this service: the operator's, else the one that was called. */
    readonly issuer: string
  }
}

export function knowIssuer(app: FastifyInstance, publicUrl: string | undefined): void {
  const fixed = publicUrl?.replace(/\/$/, '')
  app.decorateRequest('issuer', {
    getter() {
      if (fixed !== undefined) return fixed
      const origin = `${this.protocol}://${this.host}`
      return URL.canParse(origin) ? origin : 'http://localhost'
    },
  })
}
