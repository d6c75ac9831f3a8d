/** The complete catalogues, from `web/build/words.ts`. */
declare module 'virtual:words' {
  type Words = Partial<import('./catalogue.ts').Catalogue>
  type Load = () => Promise<{ default: Words }>
  /** What the first page says, and what all the others say: loaded in the language that is read, and no other. */
  export const WORDS: Partial<Record<import('./languages.ts').Language, { first: Load; others: Load }>>
}
