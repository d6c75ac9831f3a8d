import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LANGUAGES, messagesIn } from '@hypocaust/domain'
import { parseAst } from 'rolldown/parseAst'
import { expect, test } from 'vitest'
import { catalogues, missingIn, type Words } from '../build/catalogues.ts'
import { keysIn, loadedWith, SOURCE } from '../build/used-keys.ts'

const WHOLE = catalogues()
const en = WHOLE.get('en') as Words
/** Whoever adds a text writes it in these; the other languages are not offered until they have it too. */
const WRITTEN = ['en', 'de']
/** Attributes a person sees or hears. */
const SPOKEN = new Set(['alt', 'aria-label', 'aria-valuetext', 'label', 'placeholder', 'title', 'hint', 'text'])

test('the languages with a catalogue are those that the service knows', () => {
  expect([...WHOLE.keys()].sort()).toEqual([...LANGUAGES].sort())
})

test.each(WRITTEN)('%s has every text', (language) => {
  expect(missingIn(WHOLE.get(language) as Words, en)).toEqual([])
})

test.each([...WHOLE.keys()])('%s has no text of its own, and the same places for values', (language) => {
  for (const [key, text] of Object.entries(WHOLE.get(language) as Words))
    expect([key, namesIn(text)]).toEqual([key, namesIn(en[key])])
})

test.each([...WHOLE.keys()])('%s needs no quoting, which ICU messages do with straight apostrophes', (language) => {
  expect(Object.entries(WHOLE.get(language) as Words).filter(([, text]) => /['#<]/.test(text))).toEqual([])
})

test('a number before a noun has a form for one', () => {
  const fill = messagesIn('en')
  const afterOne = (text: string) => fill(text, Object.fromEntries(namesIn(text).map((name) => [name, 1])))
  const wrong = Object.entries(en).filter(([, text]) =>
    /\b1 (?:more )?(?:days|hours|minutes|rooms|loops|mornings|alerts)\b/.test(afterOne(text)),
  )
  expect(wrong).toEqual([])
})

/** The values of a message, each once. */
const namesIn = (text = ''): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)(?:\}|, plural,)/g)].map(([, name]) => name as string))].sort()

test('no words stand outside the catalogues', () => {
  const found = files('.tsx').flatMap((file) => wordsIn(file).map((words) => `${file}: ${words}`))
  expect(found).toEqual([])
})

test('every key is used, so that no translation is for nothing', () => {
  const keys = Object.keys(en)
  const used = keysIn(files(''), keys)
  expect(keys.filter((key) => !used.has(key))).toEqual([])
})

test('the first page loads its own words, and not most of the others', () => {
  const first = keysIn(loadedWith('main.tsx'), Object.keys(en))
  expect(first.has('house.well')).toBe(true)
  expect(first.has('webhooks.lead')).toBe(false)
  expect(first.size).toBeLessThan(Object.keys(en).length / 2)
})

test('the check for words outside the catalogues would find them', () => {
  expect(wordsInText('const a = <p title="Hello there">Good morning</p>')).toEqual(['Hello there', 'Good morning'])
  expect(wordsInText("const a = <p>{t('x')} · {'Good'}</p>")).toEqual(['Good'])
})

const files = (ending: string): string[] =>
  readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && name.endsWith(ending))
    .sort()
const wordsIn = (file: string): string[] => wordsInText(readFileSync(join(SOURCE, file), 'utf8'))

interface Node {
  type: string
  [field: string]: unknown
}

/** Texts between tags, texts in braces between tags, and texts in attributes that are seen or heard. */
function wordsInText(text: string): string[] {
  const words: string[] = []
  const note = (value: unknown) => {
    if (typeof value === 'string' && /\p{L}{2,}/u.test(value)) words.push(value.trim())
  }
  const visit = (node: Node): void => {
    if (node.type === 'JSXText') note(node.value)
    if (node.type === 'JSXAttribute' && SPOKEN.has((node.name as { name?: string }).name ?? ''))
      noteValue(node.value as Node | null)
    if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
      for (const child of node.children as Node[]) if (child.type === 'JSXExpressionContainer') noteValue(child)
    }
    for (const field of Object.values(node)) {
      for (const child of Array.isArray(field) ? field : [field]) if (isNode(child)) visit(child)
    }
  }
  const noteValue = (node: Node | null): void => {
    if (node?.type === 'Literal') note(node.value)
    if (node?.type === 'JSXExpressionContainer') noteValue(node.expression as Node)
  }
  visit(parseAst(text, { lang: 'tsx' }) as unknown as Node)
  return words
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
