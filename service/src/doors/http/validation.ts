import { inWords } from '@hypocaust/domain'
import type { FastifyError } from 'fastify'
import { errors, type ServiceError } from '../../base/errors.ts'

type Problem = NonNullable<FastifyError['validation']>[number]

const KINDS: Record<string, string> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a text',
}

/** What the validator found, in our own words and with the field's name. */
export function refusalOf(problem: Problem): ServiceError {
  const { instancePath, keyword, params } = problem
  const path = instancePath.split('/').slice(1)
  if (keyword === 'additionalProperties')
    return errors.unknownField([...path, String(params.additionalProperty)].join('.'))
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
    default:
      return `${inWords(params.pattern) ?? message}.`
  }
}

const kindOf = (type: unknown): string => KINDS[String(type)] ?? String(type)
