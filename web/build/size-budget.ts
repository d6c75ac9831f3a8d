import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** Prints how much script the first page loads, and refuses to build when it is too much for an old phone. */
export function sizeBudget({ initialKb }: { initialKb: number }): Plugin {
  return {
    name: 'size-budget',
    generateBundle(_options, bundle) {
      const seen = new Set<string>()
      const visit = (name: string) => {
        const chunk = bundle[name]
        if (seen.has(name) || chunk?.type !== 'chunk') return
        seen.add(name)
        chunk.imports.forEach(visit)
      }
      for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk' && chunk.isEntry) visit(chunk.fileName)
      const bytes = [...seen].reduce((sum, name) => {
        const chunk = bundle[name]
        return sum + (chunk?.type === 'chunk' ? gzipSync(chunk.code).length : 0)
      }, 0)
      const kb = bytes / 1000
      console.log(`initial JavaScript: ${kb.toFixed(1)} kB gzipped of ${initialKb} kB allowed`)
      if (kb > initialKb) this.error(`initial JavaScript is ${kb.toFixed(1)} kB gzipped, more than ${initialKb} kB`)
    },
  }
}
