/** What a sentence is made with. A number is written as the language does; text stays as it is. */
export type Values = Record<string, string | number>

/** Fills sentences of a catalogue: ICU messages with `{name}` and `{n, plural, one {…} other {…}}`, and nothing else. */
export function messagesIn(language: string): (message: string, values?: Values) => string {
  const plural = new Intl.PluralRules(language)
  const { format } = new Intl.NumberFormat(language)
  return (message, values = {}) =>
    withPlurals(message, (name) => {
      const n = Number(values[name])
      return [`=${n}`, plural.select(n), 'other']
    }).replace(/\{(\w+)\}/g, (whole, name) => {
      const value = values[name]
      return typeof value === 'number' ? format(value) : (value ?? whole)
    })
}

const PLURAL = /\{(\w+), plural, /
const FORM = /(=\d+|[a-z]+) \{/y

/** With one form chosen of each plural; which ones will do is asked for in order of preference. */
function withPlurals(message: string, formsFor: (name: string) => string[]): string {
  const found = PLURAL.exec(message)
  if (!found) return message
  const forms = new Map<string, string>()
  let at = found.index + found[0].length
  for (;;) {
    FORM.lastIndex = at
    const form = FORM.exec(message)
    if (!form) break
    const end = endOf(message, FORM.lastIndex)
    forms.set(form[1] as string, message.slice(FORM.lastIndex, end))
    at = message[end + 1] === ' ' ? end + 2 : end + 1
  }
  const chosen = formsFor(found[1] as string).find((form) => forms.has(form))
  const before = message.slice(0, found.index)
  return before + (forms.get(chosen ?? '') ?? '') + withPlurals(message.slice(at + 1), formsFor)
}

/** Where the brace is closed that was opened before `from`. */
function endOf(message: string, from: number): number {
  let open = 1
  for (let at = from; at < message.length; at++) {
    if (message[at] === '{') open++
    if (message[at] === '}') open--
    if (open === 0) return at
  }
  return message.length
}
