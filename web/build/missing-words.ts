// npm run words: which texts each language lacks. One that lacks any is not offered.
import { catalogues, missingIn, type Words } from './catalogues.ts'

const all = catalogues()
for (const [language, words] of all) {
  const missing = missingIn(words, all.get('en') as Words)
  console.log(
    missing.length === 0 ? `${language}: complete` : `${language}: ${missing.length} missing: ${missing.join(', ')}`,
  )
}
