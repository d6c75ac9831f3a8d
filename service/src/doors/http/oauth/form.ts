import type { FastifyInstance, FastifyRequest } from 'fastify'
import { OauthFailure } from '../../../people/oauth/failure.ts'

/** What apps send (RFC 6749): a form, no name in it twice. */
export function parseForms(app: FastifyInstance): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    const pairs = [...new URLSearchParams(body as string)]
    const form = Object.fromEntries(pairs)
    if (Object.keys(form).length === pairs.length) done(null, form)
    else done(new OauthFailure('invalid_request', 'A parameter occurs twice.'))
  })
}

/** Refuses a form without one of these. An empty value is none. */
export function required<Name extends string>({ body }: FastifyRequest, ...names: Name[]): Record<Name, string> {
  const form = formOf(body)
  const missing = names.find((name) => !form[name])
  if (missing !== undefined) throw new OauthFailure('invalid_request', `${missing} is missing.`)
  return form as Record<Name, string>
}

export function optional({ body }: FastifyRequest, name: string): string | undefined {
  const value = formOf(body)[name]
  return value === '' ? undefined : value
}

/** Texts only: a body of JSON may hold anything. */
const formOf = (body: unknown): Partial<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(Object(body)).filter((each): each is [string, string] => typeof each[1] === 'string'),
  )
