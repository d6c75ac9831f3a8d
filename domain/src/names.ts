import Type from 'typebox'

const INNER = '[^\\p{Cc}\\p{Cs}]'
const EDGE = '[^\\s\\p{Cc}\\p{Cs}]'

/** 1 to 100 characters after trimming, no control characters; half a surrogate pair cannot be stored. */
export const NAME_PATTERN = `^\\s*${EDGE}(?:${INNER}{0,98}${EDGE})?\\s*$`

export const Name = (description: string, example: string) =>
  Type.String({ pattern: NAME_PATTERN, description, examples: [example] })
