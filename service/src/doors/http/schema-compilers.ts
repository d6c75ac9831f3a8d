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

/** Writes values as an answer of this schema is written, by an application that is ready. */
export function serialiserOf(app: FastifyInstance, schema: object): (value: unknown) => string {
  const serialise = once(() => {
    if (!app.serializerCompiler) throw new Error('the application is not ready')
    return app.serializerCompiler({ schema, method: '', url: '', httpStatus: '200', contentType: 'application/json' })
  })
  return (value) => serialise()(value)
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
