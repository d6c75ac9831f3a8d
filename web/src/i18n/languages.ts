import type { Catalogue } from './catalogue.ts'
import { recalled } from './recall.ts'

/** What the first page says, and what all the others say: loaded in the language that is read, and no other. */
const PARTS = {
  en: [() => import('./en/first.ts'), () => import('./en/others.ts')],
  de: [() => import('./de/first.ts'), () => import('./de/others.ts')],
} as const

export type Language = keyof typeof PARTS
export const LANGUAGES = Object.keys(PARTS) as Language[]

const loaded: Record<Language, Partial<Catalogue>> = { en: {}, de: {} }
export const wordsIn = (language: Language): Partial<Catalogue> => loaded[language]

let read: Language = languageWished()
export const languageRead = (): Language => read

function languageWished(): Language {
  const wished = [recalled('language'), ...(navigator.languages ?? [])].map((tag) => tag?.slice(0, 2))
  return LANGUAGES.find((language) => language === wished.find((tag) => LANGUAGES.includes(tag as Language))) ?? 'en'
}

export async function loadFirstWords(language = read): Promise<void> {
  Object.assign(loaded[language], (await PARTS[language][0]()).first)
}

async function loadOtherWords(language = read): Promise<void> {
  Object.assign(loaded[language], (await PARTS[language][1]()).others)
}

/** From now on everything is said in it. */
export async function readIn(language: Language): Promise<void> {
  await Promise.all([loadFirstWords(language), loadOtherWords(language)])
  read = language
}

/** A part of the website that is loaded when it is used, together with its words. */
export const withWords =
  <T>(load: () => Promise<T>) =>
  async (): Promise<T> =>
    (await Promise.all([load(), loadOtherWords()]))[0]
