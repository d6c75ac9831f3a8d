import buildAjv, { type BuildCompilerFromPool } from '@fastify/ajv-compiler'
import buildSerializers, { type SerializerFactory } from '@fastify/fast-json-stringify-compiler'
import type { FastifyInstance } from 'fastify'

/**
 * Fastify's own compilers, used at a route's first request. Compiling all schemas beforehand takes more than half of
 * the time the service needs to start, and most processes never serve most routes.
 */
export const compileOnFirstUse = { buildValidator, buildSerializer }

/** Keeps what it has compiled: a second application in this process, as tests have many, finds it ready. */
const validators = buildAjv()

function buildValidator(...context: Parameters<BuildCompilerFromPool>): ReturnType<BuildCompilerFromPool> {
  const compiler = once(() => validators(...context))
  return (route) => {
    const compiled = once(() => compiler()(route))
    const validate = (value: unknown) => {
      const isValid = compiled()(value)
      validate.errors = compiled().errors
      return isValid
    }
    // Fastify reads the errors from the function it has called.
    validate.errors = undefined as ReturnType<typeof compiled>['errors']
    return validate as ReturnType<ReturnType<BuildCompilerFromPool>>
  }
}

function buildSerializer(...context: Parameters<SerializerFactory>): ReturnType<SerializerFactory> {
  const compiler = once(() => buildSerializers()(...context))
  return (route) => {
    const compiled = once(() => compiler()(route))
    return (document) => compiled()(document)
  }
}

/** Whether a body is as the routes of an application that is ready would take it. */
export function checkOfBody<Body>(app: FastifyInstance, schema: object): (body: unknown) => body is Body {
  const check = once(() => {
    if (!app.validatorCompiler) throw new Error('the application is not ready')
    return app.validatorCompiler({ schema, method: '', url: '', httpPart: 'body' })
  })
  return (body): body is Body => check()(body) === true
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
