import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'
import { isFirstWords } from './words.ts'

/** Prints how much script the first page loads, and refuses to build when it is too much for an old phone. */
export function sizeBudget({ initialKb }: { initialKb: number }): Plugin {
  return {
    name: 'size-budget',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
      const sizeOf = (names: Set<string>) =>
        chunks.reduce((sum, { fileName, code }) => sum + (names.has(fileName) ? gzipSync(code).length : 0), 0)
      const withImports = (name: string, seen = new Set<string>()): Set<string> => {
        if (seen.has(name)) return seen
        seen.add(name)
        for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? [])
          withImports(imported, seen)
        return seen
      }
      const entry = new Set(
        chunks.filter(({ isEntry }) => isEntry).flatMap(({ fileName }) => [...withImports(fileName)]),
      )
      // The entry waits for its words, in one language.
      const words = chunks
        .filter(({ facadeModuleId }) => isFirstWords(facadeModuleId ?? ''))
        .map(({ fileName }) => new Set([...withImports(fileName)].filter((name) => !entry.has(name))))
      if (words.length === 0) this.error('no words of the first page: their files have other names now')
      const kb = (sizeOf(entry) + Math.max(...words.map(sizeOf))) / 1000
      console.log(`JavaScript of the first page: ${kb.toFixed(1)} kB gzipped of ${initialKb} kB allowed`)
      if (kb > initialKb)
        this.error(`JavaScript of the first page is ${kb.toFixed(1)} kB gzipped, more than ${initialKb} kB`)
    },
  }
}
