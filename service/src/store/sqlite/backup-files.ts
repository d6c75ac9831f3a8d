import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, normalize } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'

/** Keys, secrets and the like are small; what is larger is no part of them. */
const LARGEST_BYTES = 1024 * 1024

/** The files of the data folder besides the database, into a table of the copy: without them nobody could sign in. */
export function keepFiles(db: DatabaseSync, folder: string): { files: string[]; left_out: string[] } {
  db.exec('create table backup_files (name text primary key, mode integer not null, content blob not null)')
  const insert = db.prepare('insert into backup_files (name, mode, content) values (?, ?, ?)')
  const all = filesBeside(folder)
  const files = all.filter(({ size }) => size <= LARGEST_BYTES)
  for (const { name, mode } of files) insert.run(name, mode, readFileSync(join(folder, name)))
  return { files: namesOf(files), left_out: namesOf(all.filter((file) => !files.includes(file))) }
}

const namesOf = (files: { name: string }[]): string[] => files.map(({ name }) => name)

const filesBeside = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/^hypocaust\.db|^before-.*\.backup$|\.part-|\.replaced-/.test(name))
    .map((name) => ({ name, found: lstatSync(join(folder, name)) }))
    .filter(({ found }) => found.isFile())
    .map(({ name, found: { mode, size } }) => ({ name, mode: mode & 0o777, size }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))

interface KeptFile {
  name: string
  mode: number
  content: Uint8Array
}

/** Takes the files out of the copy again. */
export function takeFiles(db: DatabaseSync): KeptFile[] {
  const files = db.prepare('select name, mode, content from backup_files').all() as unknown as KeptFile[]
  db.exec('drop table backup_files')
  return files.filter(({ name }) => !name.startsWith('hypocaust.db') && isInside(name))
}

/** A file that was tampered with must not write elsewhere. */
const isInside = (name: string): boolean => !isAbsolute(name) && !normalize(name).startsWith('..')

/** A file that is replaced stays beside the new one under another name. */
export function putFiles(folder: string, files: KeptFile[], replacedSuffix: string): void {
  for (const { name, mode, content } of files) {
    const path = join(folder, name)
    if (readIfThere(path)?.equals(content)) continue
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(`${path}.part-restore`, content, { mode, flush: true })
    if (readIfThere(path)) linkSync(path, `${path}${replacedSuffix}`)
    renameSync(`${path}.part-restore`, path)
  }
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}
