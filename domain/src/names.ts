import Type from 'typebox'
import { NAME_PATTERN } from './patterns.ts'

export const Name = (description: string, example: string) =>
  Type.String({ pattern: NAME_PATTERN, description, examples: [example] })
