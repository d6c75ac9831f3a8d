import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const SOURCE = join(import.meta.dirname, '../src')

/** The keys that these files of the website name, or the beginnings of keys that they complete. */
export function keysIn(files: string[], keys: string[]): Set<string> {
  const source = files.map((file) => readFileSync(join(SOURCE, file), 'utf8')).join('\n')
  const stems = [...source.matchAll(/`([a-z_]+\.(?:[a-z]+_)*)\$\{/g)].map((match) => match[1] as string)
  return new Set(keys.filter((key) => source.includes(`'${key}'`) || stems.some((stem) => key.startsWith(stem))))
}

/** A file and everything that it imports without waiting for it to be used. */
export function loadedWith(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [...seen]
  seen.add(file)
  const source = readFileSync(join(SOURCE, file), 'utf8')
  for (const [, name = ''] of source.matchAll(/^(?:import|export|\}) (?!type ).*?from '(\.[^']+\.tsx?)'/gm))
    loadedWith(join(dirname(file), name), seen)
  return [...seen]
}
