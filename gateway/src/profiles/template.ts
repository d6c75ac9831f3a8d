import { isObject } from '../base/json.ts'
import { valueIn } from './path.ts'

/** Where the names in a text like `{model}/{id}` are looked up: levels of the topic, then the message. */
export interface Scope {
  topic: Readonly<Record<string, string>>
  item: unknown
  message: unknown
}

/** The text with its names replaced. Parts between slashes whose names all are unknown are left out. */
export function filled(text: string, scope: Scope): string {
  return text
    .split('/')
    .flatMap((part) => {
      let known = !part.includes('{')
      const value = part.replace(/\{([^{}]+)\}/g, (_, name: string) => {
        const found = lookUp(name, scope)
        if (found !== '') known = true
        return found
      })
      return known ? [value] : []
    })
    .join('/')
}

function lookUp(name: string, { topic, item, message }: Scope): string {
  if (Object.hasOwn(topic, name)) return topic[name] ?? ''
  const value = valueIn(item, name) ?? valueIn(message, name)
  return value === undefined || value === null || isObject(value) || Array.isArray(value) ? '' : String(value)
}
