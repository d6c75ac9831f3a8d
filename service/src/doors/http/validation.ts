import { inWords, MOMENT_PATTERN } from '@hypocaust/domain'
import type { FastifyError } from 'fastify'
import { errors, type ServiceError } from '../../base/errors.ts'

type Problem = NonNullable<FastifyError['validation']>[number]
/** The part of the request that was looked at. */
type Part = FastifyError['validationContext']

const KINDS: Record<string, string> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a text',
}

const FORMATS: Record<string, string> = {
  'date-time': inWords(MOMENT_PATTERN) ?? '',
  uuid: 'must be a UUID as 019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e',
}

/** What the validator found, in our own words and with the field's name. */
export function refusalOf(problem: Problem, part: Part): ServiceError {
  const { instancePath, keyword, params } = problem
  const path = instancePath.split('/').slice(1)
  if (keyword === 'additionalProperties') {
    const name = String(params.additionalProperty)
    return part === 'querystring' ? errors.unknownParameter(name) : errors.unknownField(...path, name)
  }
  if (keyword === 'required')
    return errors.invalidValue(`${[...path, String(params.missingProperty)].join('.')} is missing.`)
  if (path.length === 0) return errors.invalidBody()
  return errors.invalidValue(`${path.join('.')} ${ruleOf(problem)}`)
}

function ruleOf({ keyword, params, message }: Problem): string {
  switch (keyword) {
    case 'enum':
      return `must be one of: ${(params.allowedValues as unknown[]).join(', ')}.`
    case 'type':
      return `must be ${[params.type].flat().map(kindOf).join(' or ')}.`
    case 'minimum':
      return `must be at least ${params.limit}.`
    case 'maximum':
      return `must be at most ${params.limit}.`
    case 'minLength':
      return `must have at least ${counted(params.limit, 'character')}.`
    case 'maxLength':
      return `must have at most ${counted(params.limit, 'character')}.`
    case 'minItems':
      return `must have at least ${counted(params.limit, 'entry', 'entries')}.`
    case 'maxItems':
      return `must have at most ${counted(params.limit, 'entry', 'entries')}.`
    case 'format':
      return `${FORMATS[String(params.format)] ?? message}.`
    default:
      return `${inWords(params.pattern) ?? message}.`
  }
}

const kindOf = (type: unknown): string => KINDS[String(type)] ?? String(type)

const counted = (count: unknown, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
