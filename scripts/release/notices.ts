import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from './shell.ts'

/** A part of a bundle, from npm. */
export interface Package {
  name: string
  version: string
  license: string
  texts: string[]
}

/** Written when the website is built. */
export const WEBSITE_PARTS = join(ROOT, 'node_modules/.cache/hypocaust-website-parts.json')

/** None where the website was built by an older version of its configuration; a release builds it anew. */
export const partsOfWebsite = (): Package[] =>
  existsSync(WEBSITE_PARTS) ? JSON.parse(readFileSync(WEBSITE_PARTS, 'utf8')) : []

/** Each package once, in the order of their names. */
export function together(...lists: Package[][]): Package[] {
  const byName = new Map(lists.flat().map((part) => [`${part.name} ${part.version}`, part]))
  return [...byName.values()].sort((a, b) => a.name.localeCompare(b.name))
}

/** The packages that the modules of a bundle belong to. */
export function packagesOf(modules: string[]): Package[] {
  const folders = [...new Set(modules.filter((id) => id.includes('/node_modules/')).map(packageFolder))]
  return folders.map(readPackage).sort((a, b) => a.name.localeCompare(b.name))
}

/** The licences of every package that is part of the bundle, as those licences ask for. */
export function noticesOf(packages: Package[]): string {
  const notices = packages.map(({ name, version, license, texts }) =>
    `${name} ${version} (${license})\n\n${texts.join('\n\n')}`.trimEnd(),
  )
  return `${notices.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

/** The nearest folder above that is a package by name and version. */
function packageFolder(moduleId: string): string {
  for (let folder = dirname(moduleId); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json')
    if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version) return folder
  }
  throw new Error(`no package.json above ${moduleId}`)
}

function readPackage(folder: string): Package {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (typeof license !== 'string') throw new Error(`${folder}/package.json names no licence`)
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return { name, version, license, texts }
}
