import * as german from '../src/i18n/de/first.ts'
import { others as germanOthers } from '../src/i18n/de/others.ts'
import { first } from '../src/i18n/en/first.ts'
import { others } from '../src/i18n/en/others.ts'
import { translator } from '../src/i18n/translator.ts'

export const WHOLE = { en: { ...first, ...others }, de: { ...german.first, ...germanOthers } }

/** With the words of all pages. */
export const translatorIn = (language: keyof typeof WHOLE) => translator(WHOLE[language])
