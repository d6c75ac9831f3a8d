/// <reference path="./virtual-words.d.ts" />
import { WORDS } from 'virtual:words'
import type { LANGUAGES as KNOWN } from '@hypocaust/domain/facts'
import type { Catalogue } from './catalogue.ts'
import { recalled } from './recall.ts'

export type Language = (typeof KNOWN)[number]
export const LANGUAGES = Object.keys(WORDS) as Language[]

/** As the people who speak it write it, with a capital in a list. */
export function ownNameOf(language: Language): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}

const loaded = new Map<Language, Partial<Catalogue>>()
export function wordsIn(language: Language): Partial<Catalogue> {
  const words = loaded.get(language) ?? {}
  loaded.set(language, words)
  return words
}

let read: Language = languageWished()
export const languageRead = (): Language => read

function languageWished(): Language {
  const wished = [recalled('language'), ...(navigator.languages ?? [])].map((tag) => tag?.slice(0, 2))
  return LANGUAGES.find((language) => language === wished.find((tag) => LANGUAGES.includes(tag as Language))) ?? 'en'
}

export async function loadFirstWords(language = read): Promise<void> {
  Object.assign(wordsIn(language), (await WORDS[language]?.first())?.default)
}

async function loadOtherWords(language = read): Promise<void> {
  Object.assign(wordsIn(language), (await WORDS[language]?.others())?.default)
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
