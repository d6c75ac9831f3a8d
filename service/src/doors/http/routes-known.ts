import type { FastifyInstance } from 'fastify'

/** Which paths exist and with which methods: tells "no such path" from "not with this method". */
export class KnownRoutes {
  readonly #routes = new Map<string, { pattern: RegExp; methods: Set<string> }>()

  watch(app: FastifyInstance): void {
    app.addHook('onRoute', ({ url, method }) => {
      const known = this.#routes.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() }
      for (const name of [method].flat()) known.methods.add(name)
      this.#routes.set(url, known)
    })
  }

  allowed(path: string): string | undefined {
    const methods = [...this.#routes.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((r) => [...r.methods])
    return methods.length > 0 ? [...new Set(methods)].sort().join(', ') : undefined
  }
}

const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/:[A-Za-z]+/g, '[^/]+')
      .replace(/\*/g, '.*')}$`,
  )
