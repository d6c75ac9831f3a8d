import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export type Words = Record<string, string>

/** The website’s own words, and those of alerts, which the service says too. */
export const FOLDERS = [
  join(import.meta.dirname, '../src/i18n/words'),
  join(import.meta.dirname, '../../domain/src/words'),
]

/** The words of the website by language, from all files `<language>.json`. */
export function catalogues(): Map<string, Words> {
  const languages = readdirSync(FOLDERS[0] as string)
    .filter((name) => name.endsWith('.json'))
    .map((name) => basename(name, '.json'))
    // English first, and then by name, as in a list to choose from.
    .sort((a, b) => Number(b === 'en') - Number(a === 'en') || a.localeCompare(b))
  return new Map(languages.map((language) => [language, { ...wordsOf(language, 0), ...sharedWithService(language) }]))
}

const wordsOf = (language: string, folder: 0 | 1): Words =>
  JSON.parse(readFileSync(join(FOLDERS[folder] as string, `${language}.json`), 'utf8'))

/** What the service says, too. */
const SHARED = /^(?:(?:alert|cause)\.|diagnosis\.probably$)/

const sharedWithService = (language: string): Words =>
  Object.fromEntries(Object.entries(wordsOf(language, 1)).filter(([key]) => SHARED.test(key)))

/** What a language lacks of the English words: a language that lacks any is not offered. */
export const missingIn = (words: Words, english: Words): string[] =>
  Object.keys(english).filter((key) => !words[key]?.trim())
