import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { problemInWords, WRONG_PASSWORD } from '../src/ui/problem-words.ts'
import { REFUSALS, refusalOf } from '../src/ui/refusals.ts'
import { translatorIn } from './translate.ts'

/** The service's own refusals, and what the domain says of a value with the wrong form. */
const SOURCES = ['service', 'domain'].map((name) => join(import.meta.dirname, '../..', name, 'src'))

test('every refusal that is translated is one of the service', () => {
  const source = SOURCES.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  ).join('\n')
  expect(REFUSALS.filter(([said]) => !said.test(source)).map(([, key]) => key)).toEqual([])
})

test('English of the service and names of its fields are never shown', () => {
  expect(refusalOf('room_ids: a guest needs at least one room.')).toEqual({ key: 'refused.guest_rooms' })
  expect(refusalOf('target_temperature must be between 7 and 35.')).toEqual({ key: 'problem.invalid' })
  expect(refusalOf('12: rooms.0.name: must not be empty').key).toBe('problem.file')
})

test('where the password is typed once more, it is the current one that is wrong', () => {
  const refused = { code: 'wrong_credentials', message: 'The e-mail address or the password is wrong.' }
  expect(problemInWords(refused, translatorIn('en'), WRONG_PASSWORD)).toBe('The current password is wrong.')
  for (const language of ['de', 'fr', 'nl', 'sv']) {
    const t = translatorIn(language)
    expect(problemInWords(refused, t, WRONG_PASSWORD)).toBe(t('problem.wrong_password'))
    expect(problemInWords(refused, t)).not.toBe(problemInWords(refused, t, WRONG_PASSWORD))
  }
})

test('a refusal that no page knows is said in the language of the page', () => {
  const refused = { code: 'invalid', message: 'heat_source.standby_w must be a number.' }
  for (const language of ['de', 'fr', 'nl', 'sv']) {
    const said = problemInWords(refused, translatorIn(language))
    expect(said).not.toMatch(/must be|standby_w/)
    expect(said).not.toBe(problemInWords(refused, translatorIn('en')))
  }
})
