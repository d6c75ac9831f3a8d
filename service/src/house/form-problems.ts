import { inWords } from '@hypocaust/domain'
import type { YamlPath } from '@hypocaust/domain/yaml'
import type { TSchema } from 'typebox'
import Value from 'typebox/value'

/** As shown to the author of a file. */
export interface HouseProblem {
  line: number
  field: string
  message: string
}

export interface Problem {
  path: YamlPath
  message: string
}

export const at = (path: YamlPath, message: string): Problem => ({ path, message })

interface FormParams {
  requiredProperties?: string[]
  additionalProperties?: string[]
  allowedValues?: string[]
  pattern?: string
}

export function formProblems(schema: TSchema, value: unknown): Problem[] {
  return Value.Errors(schema, value).flatMap(({ keyword, instancePath, params, message }) => {
    const path = pathOf(instancePath)
    const { requiredProperties, additionalProperties, allowedValues, pattern } = params as FormParams
    if (keyword === 'required') return (requiredProperties ?? []).map((name) => at(path, `${name} is missing`))
    if (keyword === 'additionalProperties') {
      return (additionalProperties ?? []).map((name) => at([...path, name], 'there is no such field'))
    }
    if (keyword === 'boolean') return []
    if (keyword === 'enum') return [at(path, `must be one of ${(allowedValues ?? []).join(', ')}`)]
    return [at(path, inWords(pattern) ?? message)]
  })
}

const pathOf = (pointer: string): YamlPath =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')))
