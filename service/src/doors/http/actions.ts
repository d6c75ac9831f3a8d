import type { FastifyInstance } from 'fastify'

/** A route that names one of these in its path must say what it does there: so that no permission is forgotten. */
export function requireActions(app: FastifyInstance, names: string[]): void {
  app.addHook('onRoute', ({ url, config }) => {
    const named = names.find((name) => new RegExp(`:${name}\\b`).test(url))
    if (named !== undefined && !config?.actions?.length) throw new Error(`${url} has no action in its config`)
  })
}
