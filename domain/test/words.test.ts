import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LANGUAGES } from '../src/facts/languages.ts'

const FOLDER = join(import.meta.dirname, '../src/words')
const wordsOf = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(join(FOLDER, `${language}.json`), 'utf8'))
const valuesOf = (text = '') =>
  [...new Set([...text.matchAll(/\{(\w+)(?:\}|, plural,)/g)].map(([, name]) => name))].sort()

test('every language has a catalogue, and every catalogue is of a language', () => {
  expect(readdirSync(FOLDER).sort()).toEqual(LANGUAGES.map((language) => `${language}.json`).sort())
})

test.each(LANGUAGES)('%s says everything that a mail or an alert says, with the same values', (language) => {
  const english = wordsOf('en')
  const words = wordsOf(language)
  expect(Object.keys(words).sort()).toEqual(Object.keys(english).sort())
  for (const [key, text] of Object.entries(words)) {
    expect([key, valuesOf(text)]).toEqual([key, valuesOf(english[key])])
    expect([key, /['#<]/.test(text)]).toEqual([key, false])
  }
})
