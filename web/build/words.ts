import { join } from 'node:path'
import type { Plugin } from 'vite'
import { catalogues, FOLDERS, missingIn, type Words } from './catalogues.ts'
import { keysIn, loadedWith } from './used-keys.ts'

const LIST = 'virtual:words'
const PART = /^virtual:words\/(\w+)\/(first|others)$/

/** The words of a language in two parts: what the first page says, which is loaded with it, and the rest. */
export const isFirstWords = (id: string): boolean => id.startsWith('\0') && PART.exec(id.slice(1))?.[2] === 'first'

/** Offers the complete languages. The page loads the one that is read. */
export function words(): Plugin {
  let isBuilt = false
  return {
    name: 'words',
    configResolved({ command }) {
      isBuilt = command === 'build'
    },
    resolveId: (id) => (id === LIST || PART.test(id) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${LIST}`)) return
      const all = catalogues()
      for (const language of all.keys())
        for (const folder of FOLDERS) this.addWatchFile(join(folder, `${language}.json`))
      const english = all.get('en') as Words
      const [, language, part] = PART.exec(id.slice(1)) ?? []
      if (!language) {
        const complete = [...all.keys()].filter((each) => missingIn(all.get(each) as Words, english).length === 0)
        return `export const WORDS = { ${complete.map(loads).join(', ')} }`
      }
      const first = keysIn(loadedWith('main.tsx'), Object.keys(english))
      // While pages are being written, all words are there at once.
      const isIn = (key: string) => (part === 'first') === (first.has(key) || !isBuilt)
      const chosen = Object.entries(all.get(language) as Words).filter(([key]) => isIn(key))
      return `export default ${JSON.stringify(Object.fromEntries(chosen))}`
    },
  }
}

const loads = (language: string): string => {
  const load = (part: string) => `${part}: () => import('${LIST}/${language}/${part}')`
  return `${language}: { ${load('first')}, ${load('others')} }`
}
