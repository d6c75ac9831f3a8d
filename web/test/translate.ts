import { catalogues } from '../build/catalogues.ts'
import type { Catalogue } from '../src/i18n/catalogue.ts'
import { translator } from '../src/i18n/translator.ts'

const WHOLE = catalogues()

/** With the words of all pages. */
export const translatorIn = (language: string) => translator(language, WHOLE.get(language) as Catalogue)
