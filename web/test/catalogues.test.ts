import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { expect, test } from 'vitest'
import { first } from '../src/i18n/en/first.ts'
import { WHOLE } from './translate.ts'

const { en, de } = WHOLE

const SOURCE = join(import.meta.dirname, '../src')
/** Attributes a person sees or hears. */
const SPOKEN = new Set(['alt', 'aria-label', 'aria-valuetext', 'label', 'placeholder', 'title', 'hint', 'text'])

test('both languages have the same keys, none empty, with the same places for values', () => {
  const placesOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort()
  expect(Object.keys(de)).toEqual(Object.keys(en))
  for (const key of Object.keys(en) as (keyof typeof en)[]) {
    expect([key, en[key].trim() === '', de[key].trim() === '']).toEqual([key, false, false])
    expect([key, placesOf(de[key])]).toEqual([key, placesOf(en[key])])
  }
})

test('no words stand outside the catalogues', () => {
  const found = files('.tsx').flatMap((file) => wordsIn(file).map((words) => `${file}: ${words}`))
  expect(found).toEqual([])
})

test('every key is used, so that no translation is for nothing', () => {
  const used = keysIn(files(''))
  expect(Object.keys(en).filter((key) => !used.has(key))).toEqual([])
})

test('what the first page says is loaded with it', () => {
  const used = keysIn(loadedWith('main.tsx'))
  expect(used.size).toBeGreaterThan(200)
  expect([...used].filter((key) => !(key in first))).toEqual([])
})

/** The keys that these files name, or the beginnings of keys that they complete. */
function keysIn(names: string[]): Set<string> {
  const source = names.map((file) => readFileSync(join(SOURCE, file), 'utf8')).join('\n')
  const stems = [...source.matchAll(/`([a-z_]+\.(?:[a-z]+_)*)\$\{/g)].map((match) => match[1] as string)
  return new Set(
    Object.keys(en).filter((key) => {
      const plain = key.replace(/_(?:one|other)$/, '')
      return source.includes(`'${key}'`) || source.includes(`'${plain}'`) || stems.some((stem) => key.startsWith(stem))
    }),
  )
}

/** A file and everything that it imports without waiting for it to be used. */
function loadedWith(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file) || /^i18n\/(?:en|de)\//.test(file)) return [...seen]
  seen.add(file)
  const source = readFileSync(join(SOURCE, file), 'utf8')
  for (const [, name = ''] of source.matchAll(/^(?:import|export|\}) (?!type ).*?from '(\.[^']+\.tsx?)'/gm))
    loadedWith(join(dirname(file), name), seen)
  return [...seen]
}

test('the check for words outside the catalogues would find them', () => {
  expect(wordsInText('const a = <p title="Hello there">Good morning</p>')).toEqual(['Hello there', 'Good morning'])
  expect(wordsInText("const a = <p>{t('x')} · {'Good'}</p>")).toEqual(['Good'])
})

const files = (ending: string): string[] =>
  readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && name.endsWith(ending) && !/i18n\/(?:en|de)\//.test(name))
    .sort()

const wordsIn = (file: string): string[] => wordsInText(readFileSync(join(SOURCE, file), 'utf8'))

interface Node {
  type: string
  [field: string]: unknown
}

/** Texts between tags, texts in braces between tags, and texts in attributes that are seen or heard. */
function wordsInText(text: string): string[] {
  const words: string[] = []
  const note = (value: unknown) => {
    if (typeof value === 'string' && /\p{L}{2,}/u.test(value)) words.push(value.trim())
  }
  const visit = (node: Node): void => {
    if (node.type === 'JSXText') note(node.value)
    if (node.type === 'JSXAttribute' && SPOKEN.has((node.name as { name?: string }).name ?? ''))
      noteValue(node.value as Node | null)
    if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
      for (const child of node.children as Node[]) if (child.type === 'JSXExpressionContainer') noteValue(child)
    }
    for (const field of Object.values(node)) {
      for (const child of Array.isArray(field) ? field : [field]) if (isNode(child)) visit(child)
    }
  }
  const noteValue = (node: Node | null): void => {
    if (node?.type === 'Literal') note(node.value)
    if (node?.type === 'JSXExpressionContainer') noteValue(node.expression as Node)
  }
  visit(parseAst(text, { lang: 'tsx' }) as unknown as Node)
  return words
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
